"""The audit of judges: good games are damaged in known ways, and a judge either notices or it does not."""
