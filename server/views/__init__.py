"""What clients may see of rooms, rounds, tables and days, as messages and documents."""

from typing import Any, TypeVar

from pydantic import BaseModel

View = TypeVar("View", bound=BaseModel)


def view_of(model: type[View], *sources: object, **fields: Any) -> View:
    """Return a view. Each field not given comes from the first of `sources` that has it."""
    for name in model.model_fields.keys() - fields.keys():
        fields[name] = next(getattr(source, name) for source in sources if hasattr(source, name))
    return model(**fields)
