"""The numbers of the track: success and progress, by what tasks have in common."""
