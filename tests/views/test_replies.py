import json

from protocol.from_client import Configure
from protocol.settings import Settings
from protocol.vocabulary import ErrorCode, SettingsClash
from server.rooms.rounds import Clash
from server.views.replies import clash_details, refused_text


def test_a_refusal_of_settings_that_clash_names_them_and_the_reason() -> None:
    clash = Clash(SettingsClash.NUMBER_OF_NUMBERED, ("deal", "number"))
    text = refused_text(
        Configure(settings=Settings()), ErrorCode.BAD_SETTINGS, clash_details(clash)
    )
    details = json.loads(text)["details"]
    assert details["fields"] == ["deal", "number"]
    assert details["reason"] == SettingsClash.NUMBER_OF_NUMBERED


def test_a_refusal_without_a_clash_has_no_details() -> None:
    text = refused_text(
        Configure(settings=Settings()), ErrorCode.BAD_SETTINGS, clash_details(None)
    )
    assert not any(json.loads(text)["details"].values())
