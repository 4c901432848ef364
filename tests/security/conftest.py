from tests.net.conftest import serving

__all__ = ["serving"]
