"""Track `edit`: one change inside an existing Godot project, verified inside the engine."""
