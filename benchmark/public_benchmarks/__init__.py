"""The public benchmarks this suite is modelled on: where they are, and how a pinned state of one gets here."""
