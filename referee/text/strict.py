"""Files are read strictly: unknown keys and wrong types are errors that name the key.

1. `"12"` is not 12, and a misspelt key is not ignored. Numbers are finite.
2. A key without a value is left out. It is not null, unless null has a meaning of its own (`MayBeMissing`).
3. A model's validator is built when it is first needed (`defer_build`): a command imports many models and reads few files.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Annotated, Any, Final, TypeAlias, TypeVar, get_args

from pydantic import AfterValidator, BaseModel, ConfigDict, GetCoreSchemaHandler, ValidationError
from pydantic_core import CoreSchema, ErrorDetails

from referee.text.words import did_you_mean, harmless, shorten

Model = TypeVar("Model", bound=BaseModel)
Value = TypeVar("Value")

_REQUIREMENTS: Final[Mapping[str, str]] = {
    "missing": "missing",
    "extra_forbidden": "unknown key",
    "int_type": "must be a whole number",
    "int_from_float": "must be a whole number",
    "float_type": "must be a number",
    "finite_number": "must be a finite number",
    "string_type": "must be a text in quotes",
    "bool_type": "must be true or false",
    "list_type": "must be a list",
    "tuple_type": "must be a list; if it is one, the model must say `list`, not `tuple`: files have no tuples",
    "dict_type": "must be an object, keys with values",
    "model_type": "must be an object, keys with values",
    "datetime_type": "must be a date and time, such as 2026-12-14T18:00:00Z",
    "literal_error": "must be {expected}",
    "greater_than": "must be more than {gt}",
    "greater_than_equal": "must be {ge} or more",
    "less_than": "must be less than {lt}",
    "less_than_equal": "must be {le} or less",
    "too_short": "must have {min_length} {things} or more",
    "too_long": "must have at most {max_length} {things}",
    "string_too_short": "must have {min_length} {letters} or more",
    "string_too_long": "must have at most {max_length} {letters}",
}
"""What a model requires, by the kind of the error."""


class _NotNull:
    """Removes null from a type. Defaults are not validated, so None can still be the default."""

    def __get_pydantic_core_schema__(self, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        with_null = handler(source)
        assert with_null["type"] == "nullable"
        without: CoreSchema = with_null["schema"]
        return without


MayBeMissing: TypeAlias = Annotated[Value | None, _NotNull()]
"""The type of a key whose default is None: the file may leave it out, but must not say null."""


def _without_codes(text: str) -> str:
    if harmless(text) != text:
        raise ValueError("must have no control characters")
    return text


NO_CODES: Final = AfterValidator(_without_codes)
"""For the type of a text that people see, such as a name: it has no characters that control terminals."""


class Strict(BaseModel):
    """Base of the models for positions, maps and manifests."""

    model_config = ConfigDict(
        strict=True, extra="forbid", frozen=True, hide_input_in_errors=True, defer_build=True, allow_inf_nan=False
    )


def read(model: type[Model], data: Any, error: Callable[[str], Exception]) -> Model:
    """A document of JSON or TOML as a model. Raises: error: with one line that names the first wrong key and the reason."""
    try:
        return model.model_validate(data)
    except ValidationError as failed:
        raise error(explain(failed, model)) from None


def explain(failed: ValidationError, model: type[BaseModel] | None = None) -> str:
    """The first error in one line, and the number of the others: `players.0.seat: must be a whole number (and 1 more)`.

    Args:
        model: what was read; a misspelt or misplaced key is then followed by the one that may be meant.
    """
    first = next(mistakes(failed, model))
    return f"{first} (and {failed.error_count() - 1} more)" if failed.error_count() > 1 else first


def mistakes(failed: ValidationError, model: type[BaseModel] | None = None) -> Iterator[str]:
    """All errors, a line each; `model` is as in `explain`."""
    for error in failed.errors(include_url=False, include_input=False):
        yield _line(error, model)


def _line(error: ErrorDetails, model: type[BaseModel] | None) -> str:
    where = ".".join(shorten(str(part), 40) for part in error["loc"])  # a stranger may have chosen a key
    text = _in_our_words(error["type"], error.get("ctx", {})) or error["msg"].removeprefix("Value error, ")
    if error["type"] == "extra_forbidden":
        *tables, key = (part for part in error["loc"] if isinstance(part, str))
        text += did_you_mean(key, _keys(model, tables)) or _elsewhere(model, key)
    return f"{where}: {text}" if where else text


def _elsewhere(model: type[BaseModel] | None, key: str) -> str:
    """` (did you mean 'match.rounds'?)` for a key of another table; otherwise an empty text."""
    tables = [table for table in _keys(model, []) if key in _keys(model, [table])]
    return f" (did you mean '{tables[0]}.{key}'?)" if tables else ""


def _in_our_words(kind: str, limits: Mapping[str, Any]) -> str | None:
    """The requirement, by the kind of the error and its limits; None if pydantic's own message is better."""
    template = _REQUIREMENTS.get(kind)
    if template is None:
        return None
    texts = {key: f"{limit:g}" if isinstance(limit, float) else shorten(str(limit)) for key, limit in limits.items()}
    some = str(limits.get("min_length", limits.get("max_length")))
    return template.format(
        **texts, things="entry" if some == "1" else "entries", letters="character" + "s" * (some != "1")
    )


def _keys(kind: Any, tables: Sequence[str]) -> Iterator[str]:
    """The keys of the models that a type has in a table within tables."""
    if not (isinstance(kind, type) and issubclass(kind, BaseModel)):
        for part in get_args(kind):  # of a list, or what else a model is wrapped in
            yield from _keys(part, tables)
    elif not tables:
        yield from kind.model_fields
    elif tables[0] in kind.model_fields:
        yield from _keys(kind.model_fields[tables[0]].annotation, tables[1:])
