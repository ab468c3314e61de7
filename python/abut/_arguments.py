"""Checks of arguments: what is wrong with a value, what is allowed, and the nearest names of a misspelt one."""

import os
from difflib import get_close_matches
from typing import Any, Iterable, Mapping, Optional, TypeVar, Union

from .errors import ArgumentError

T = TypeVar("T")


def kind_of(value: Any) -> str:
    """Returns the type of a value, for messages."""
    kind = type(value)
    own = kind.__module__.partition(".")[0] == __package__
    public = [part for part in kind.__module__.split(".") if not part.startswith("_")] if own else []
    return ".".join([*public, kind.__name__])


def instance(value: Any, kind: "type[T]", name: str) -> T:
    """Returns `value` if it is an object of a class of the package."""
    if not isinstance(value, kind):
        raise ArgumentError(f"{name} must be an abut.{kind.__name__}, is {kind_of(value)}")
    return value


def number(value: Any, name: str) -> float:
    """Returns `value` as a float."""
    if not isinstance(value, (str, bytes)):
        try:
            return float(value)
        except (TypeError, ValueError, OverflowError):
            pass
    raise ArgumentError(f"{name} must be a number, is {value!r}")


def path(value: Any, name: str) -> str:
    """Returns a path as text."""
    try:
        return os.fsdecode(value)
    except TypeError:
        raise ArgumentError(f"{name} must be a path, is {kind_of(value)}") from None


def mapping(value: Any, name: str, entries: str) -> Mapping[Any, Any]:
    """Returns `value` if it is a dictionary; `entries` says of what."""
    if not isinstance(value, Mapping):
        raise ArgumentError(f"{name} must be a dictionary, {entries}, is {kind_of(value)}")
    return value


def meant(word: str, names: Iterable[str]) -> Optional[str]:
    """Returns the name nearest to a misspelt one, or None if none is similar."""
    known = {name.lower(): name for name in names}
    found = get_close_matches(word.lower(), list(known), 1)
    return known[found[0]] if found else None


def unknown(message: str, given: Any, names: Iterable[str], kinds: str) -> ArgumentError:
    """Returns the error about a name that does not exist, with the nearest one and all there are."""
    listed = list(names)
    near = meant(given, listed) if isinstance(given, str) else None
    hint = f"; did you mean {near!r}? The" if near else "; the"
    return ArgumentError(f"{message}{hint} {kinds} {', '.join(listed)}")


def no_attribute(owner: str, name: str, names: Iterable[str]) -> AttributeError:
    """Returns the error about an attribute that does not exist, with the nearest of the public names."""
    near = meant(name, (known for known in names if not known.startswith("_")))
    return AttributeError(f"{owner} has no attribute {name!r}" + (f"; did you mean {near!r}?" if near else ""))


def index_of(given: Union[int, str], names: "list[str]", kind: str, kinds: str) -> int:
    """Returns the index of something given by index or name."""
    if not names:
        raise ArgumentError(f"{kind} {given!r} does not exist; the scene has no {kinds}")
    if isinstance(given, str):
        if given not in names:
            raise unknown(f"{kind} {given!r} does not exist", given, names, f"{kinds} are")
        return names.index(given)
    try:
        if isinstance(given, bool):
            raise TypeError
        index = given.__index__()
    except (AttributeError, TypeError):
        raise ArgumentError(f"{kind} {given!r} must be a name or an index") from None
    if not 0 <= index < len(names):
        raise ArgumentError(f"{kind} {given} does not exist; the {kinds} are 0 to {len(names) - 1}")
    return index
