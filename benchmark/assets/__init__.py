"""The shared art library: which packs there are, bringing them here, laying files of them into a project."""
