"""Finds and loads the shared library, checks that it matches this package, and calls it.

The search order is: the file named by the environment variable ABUT_LIBRARY, and then nothing else; `_lib/` next to
this module, where `pip install` puts a copy; `build/` of the sources, if the package lies in them; the prefix of `cmake
--install`; the paths of the system's loader (LD_LIBRARY_PATH, ldconfig); the build folder that the package was
installed from. """

import ctypes
import os
from pathlib import Path
from typing import Any, Iterator

from . import _declarations as c
from ._declarations import AbutError
from ._places import HERE, build_folders
from .errors import LibraryError, error_of

VERSION = f"{c.ABUT_VERSION_MAJOR}.{c.ABUT_VERSION_MINOR}.{c.ABUT_VERSION_PATCH}"
FILE = f"libabut.so.{c.ABUT_VERSION_MAJOR}.{c.ABUT_VERSION_MINOR}"


def _places() -> Iterator[str]:
    """Yields file names for dlopen; the system's loader searches for one without a slash."""
    if "ABUT_LIBRARY" in os.environ:
        yield os.environ["ABUT_LIBRARY"]
        return
    yield str(HERE / "_lib" / FILE)
    folders = build_folders()
    in_sources = [folder for folder in folders if folder.parent == HERE.parents[1]]
    yield from (str(folder / FILE) for folder in in_sources)
    lib = HERE.parents[2]  # of PREFIX/lib/python3/dist-packages/abut
    yield from (str(folder / FILE) for folder in (lib, *lib.glob("*-linux-*")) if (folder / FILE).exists())
    yield FILE
    yield from (str(folder / FILE) for folder in folders if folder not in in_sources)


def _open() -> tuple[ctypes.CDLL, str]:
    tried = []
    for place in _places():
        if "/" in place and not Path(place).exists():
            tried.append(f"{place}: no such file")
            continue
        try:
            return ctypes.CDLL(place), place
        except OSError as problem:
            tried.append(f"{place}: {problem}")
    raise LibraryError(
        "the shared library of Abut was not found. Searched for:\n  "
        + "\n  ".join(tried)
        + "\nBuild it (`make build` in the sources), or set ABUT_LIBRARY to the path of libabut.so."
    )


def _check(library: ctypes.CDLL, place: str) -> None:
    """Refuses a library of another version, or with other structs."""
    cure = "build library and package from the same sources, or set ABUT_LIBRARY"
    missing = [name for name in c.FUNCTIONS if not hasattr(library, name)]
    if "abut_version" in missing:
        raise LibraryError(f"{place} is not a library of Abut")
    version = library.abut_version().decode()
    if version.split(".")[:2] != VERSION.split(".")[:2]:
        raise LibraryError(f"{place} is version {version}, but this package needs {VERSION}: {cure}")
    if missing:
        raise LibraryError(f"{place} has no {missing[0]}: {cure}")
    for struct in c.STRUCTS:
        size = library.abut_struct_size(struct.__name__.encode())
        if size != ctypes.sizeof(struct):
            raise LibraryError(
                f"{place} has a {struct.__name__} of {size} bytes, but this package one of "
                f"{ctypes.sizeof(struct)}: {cure}"
            )


def _load() -> tuple[ctypes.CDLL, str]:
    library, place = _open()
    for name, (result, arguments) in c.FUNCTIONS.items():
        if hasattr(library, name):
            function = getattr(library, name)
            function.restype = result
            function.argtypes = arguments
    _check(library, place)
    return library, place


library, library_path = _load()


def call(name: str, *arguments: Any) -> None:
    """Calls a function whose last argument is an AbutError; raises that error."""
    error = AbutError()
    status = getattr(library, name)(*arguments, ctypes.byref(error))
    if status != c.ABUT_OK:
        raise error_of(status, error)


def make(name: str, *arguments: Any, kind: Any = ctypes.c_void_p) -> Any:
    """Calls a constructor, whose last arguments are `out` and an AbutError; returns `out`."""
    out = kind()
    call(name, *arguments, ctypes.byref(out))
    return out.value if kind is ctypes.c_void_p else out


def check(status: int, what: str) -> None:
    """Raises an error unless `status` is ok; for functions without an AbutError."""
    if status != c.ABUT_OK:
        name = library.abut_status_name(status).decode()
        raise error_of(status, AbutError(status=status, message=f"{what}: {name}".encode()[:511]))
