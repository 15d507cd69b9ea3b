"""Games for programs that speak MCP: Claude Code, Codex and the like are set before a game."""
