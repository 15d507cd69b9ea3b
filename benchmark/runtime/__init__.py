"""Engine, display, sandbox and how they come onto the machine."""
