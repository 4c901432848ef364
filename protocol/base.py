from pydantic import BaseModel, ConfigDict


class Model(BaseModel):
    """What every message and every part of one is: frozen, and strict about its fields."""

    model_config = ConfigDict(
        frozen=True,
        extra="forbid",
        strict=True,
        populate_by_name=True,
        serialize_by_alias=True,
        json_schema_serialization_defaults_required=True,
    )
