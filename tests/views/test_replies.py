import json
from typing import Any

from protocol.from_client import Configure
from protocol.settings import Settings
from protocol.vocabulary import ErrorCode, SettingsClash
from server.rooms.rounds import Clash
from server.views.replies import clash_details, refused_text


def test_a_refusal_of_settings_that_clash_names_them_and_the_reason() -> None:
    def details(clash: Clash | None) -> dict[str, Any]:
        code, shown = ErrorCode.BAD_SETTINGS, clash_details(clash)
        found = json.loads(refused_text(Configure(settings=Settings()), code, shown))["details"]
        return {key: value for key, value in found.items() if value}

    clash = Clash(SettingsClash.NUMBER_OF_NUMBERED, ("deal", "number"))
    assert details(clash) == {"fields": ["deal", "number"], "reason": "number_of_numbered"}
    assert details(None) == {}
