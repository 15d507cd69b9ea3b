"""A loopback model server that plays a scripted session, in the four protocols that agents' programs speak."""

from tests.agents.server.model_server import Fault, ModelServer, closed_port
from tests.agents.server.script import Script, Turn, Usage, endless, game_session

__all__ = ["Fault", "ModelServer", "Script", "Turn", "Usage", "closed_port", "endless", "game_session"]
