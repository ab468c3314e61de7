"""The statuses of the library as exceptions: subclasses of `Error` and of the corresponding exception of Python."""

from typing import TYPE_CHECKING

from . import _declarations as c

if TYPE_CHECKING:
    from ._records import StepInfo


class Error(Exception):
    """An error of the library.

    message: what is wrong, its value, and what is allowed; where: the path inside the input, such as "bodies[1].mass";
    file, line, column: the place in a file, counted from 1. Empty or 0 if unknown.
    """

    def __init__(self, message: str, where: str = "", file: str = "", line: int = 0, column: int = 0) -> None:
        place = f"{file}:{line}:{column}: " if line else f"{file}: " if file else ""
        super().__init__(place + (f"{where}: " if where else "") + message)
        self.message, self.where, self.file, self.line, self.column = message, where, file, line, column


class ArgumentError(Error, ValueError):
    """A value that is not allowed."""


class OutOfMemoryError(Error, MemoryError):
    """Memory ran out in the library."""


class InputOutputError(Error, OSError):
    """A file could not be read or written."""


class ParseError(Error, ValueError):
    """A scene or another file is malformed."""


class UnsupportedError(Error, NotImplementedError):
    """A method, shape or derivative is not supported."""


class NumericalError(Error, ArithmeticError):
    """A result does not exist to working precision, for example a derivative."""


class StoppedError(Error):
    """A progress function stopped the work."""


class LibraryError(Error, ImportError):
    """The shared library was not found, or does not match this package."""


class CommandError(Error):
    """The command `abut` was not found (`exit_status` 0), or refused its call."""

    def __init__(self, message: str, exit_status: int = 0) -> None:
        super().__init__(message)
        self.exit_status = exit_status


class SceneWarning(UserWarning):
    """Something that is legal in a scene but probably not meant, such as bodies that overlap at the start."""


class StepFailed(Error):
    """A step was not solved, and the state is unchanged. `info` describes the attempt."""

    def __init__(self, message: str, info: "StepInfo") -> None:
        super().__init__(message)
        self.info = info


KINDS: dict[int, type[Error]] = {
    c.ABUT_ERROR_ARGUMENT: ArgumentError,
    c.ABUT_ERROR_MEMORY: OutOfMemoryError,
    c.ABUT_ERROR_IO: InputOutputError,
    c.ABUT_ERROR_PARSE: ParseError,
    c.ABUT_ERROR_UNSUPPORTED: UnsupportedError,
    c.ABUT_ERROR_NUMERICAL: NumericalError,
    c.ABUT_ERROR_STOPPED: StoppedError,
    c.ABUT_ERROR_SYSTEM: InputOutputError,
}


def error_of(status: int, error: c.AbutError) -> Error:
    """Returns the exception for a status, with the contents of an AbutError."""

    def text(value: bytes) -> str:
        return value.decode("utf-8", "replace")

    kind = KINDS.get(status, Error)
    return kind(text(error.message), text(error.where), text(error.file), error.line, error.column)
