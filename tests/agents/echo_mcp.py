"""An MCP server with one tool, which says again what it is told."""

from mcp.server.mcpserver import MCPServer

server = MCPServer("echo")


@server.tool()
def echo(text: str) -> str:
    """Say it again."""
    return f"you said {text}"


if __name__ == "__main__":
    server.run()
