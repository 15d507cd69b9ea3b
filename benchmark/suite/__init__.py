"""The pytest side of the benchmark: plugin (hooks only), options, collection, the test itself, terminal view."""
