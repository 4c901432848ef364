from pydantic import BaseModel, ConfigDict


class Model(BaseModel):
    """The base of all messages and their parts: frozen, and strict about fields and types."""

    model_config = ConfigDict(
        frozen=True,
        extra="forbid",
        strict=True,
        populate_by_name=True,
        serialize_by_alias=True,
        json_schema_serialization_defaults_required=True,
    )
