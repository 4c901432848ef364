from tests.server.conftest import serving

__all__ = ["serving"]
