from tests.server.conftest import listener, serving

__all__ = ["listener", "serving"]
