"""Builds the package with only the standard library (PEP 517 and 660), so that `pip install ./python` downloads no
builder.

The wheel contains a copy of the shared library in `build/`, or of the file named by the environment variable
ABUT_LIBRARY, so that the package works without the sources. Without a library it is a pure Python wheel, which uses the
library installed on the system.
"""

import base64
import functools
import hashlib
import io
import os
import re
import runpy
import sysconfig
import tarfile
import zipfile
from pathlib import Path
from typing import Any, Optional

HERE = Path(__file__).resolve().parents[1]
BUILD = HERE.parent / "build"
DECLARATIONS = "abut/_declarations.py"
EPOCH = (1980, 1, 1, 0, 0, 0)  # the same files make the same wheel


@functools.lru_cache
def declarations() -> str:
    """Returns the text of abut/_declarations.py: from packed sources, from the library's build, or generated."""
    build = Path(os.environ["ABUT_LIBRARY"]).parent if "ABUT_LIBRARY" in os.environ else BUILD
    for folder in (HERE, build / "python"):
        if (folder / DECLARATIONS).exists():
            return (folder / DECLARATIONS).read_text(encoding="utf-8")
    return str(runpy.run_path(str(HERE / "tools" / "declare.py"))["source"]())


def sources(folder: str) -> dict[str, bytes]:
    """Returns the contents of the modules in a folder, by name."""
    paths = sorted(path for path in (HERE / folder).rglob("*") if path.suffix in (".py", ".typed"))
    return {path.relative_to(HERE).as_posix(): path.read_bytes() for path in paths}


def package() -> dict[str, bytes]:
    """Returns the contents of the package's modules, by name."""
    return sources("abut") | {DECLARATIONS: declarations().encode()}


def version() -> str:
    """Returns the version of the library in the declarations."""
    parts = ("MAJOR", "MINOR", "PATCH")
    numbers = [re.search(rf"^ABUT_VERSION_{part} = (\d+)$", declarations(), re.MULTILINE) for part in parts]
    return ".".join(number.group(1) for number in numbers if number)


def metadata() -> str:
    """Returns the METADATA of the wheel."""
    readme = (HERE / "README.md").read_text(encoding="utf-8")
    return (
        f"Metadata-Version: 2.1\nName: abut\nVersion: {version()}\n"
        "Summary: Contact between convex rigid bodies\nLicense: MIT\nRequires-Python: >=3.9\nRequires-Dist: numpy\n"
        f"Description-Content-Type: text/markdown\n\n{readme}"
    )


def shared_library() -> Optional[Path]:
    """Returns the library for the wheel; None: no library."""
    name = "libabut.so." + ".".join(version().split(".")[:2])
    path = Path(os.environ.get("ABUT_LIBRARY", BUILD / name))
    return path.resolve() if path.exists() else None


class Wheel:
    """A wheel being written."""

    def __init__(self, folder: str, tag: str) -> None:
        self.stem = f"abut-{version()}"
        self.name = f"{self.stem}-{tag}.whl"
        self.tag = tag
        self.archive = zipfile.ZipFile(Path(folder) / self.name, "w", zipfile.ZIP_DEFLATED)
        self.record: list[str] = []

    def add(self, name: str, data: bytes) -> None:
        entry = zipfile.ZipInfo(name, EPOCH)
        entry.external_attr, entry.compress_type = 0o644 << 16, zipfile.ZIP_DEFLATED
        self.archive.writestr(entry, data)
        digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
        self.record.append(f"{name},sha256={digest},{len(data)}")

    def finish(self) -> str:
        pure = str(self.tag.endswith("any")).lower()
        info = f"{self.stem}.dist-info"
        self.add(f"{info}/METADATA", metadata().encode())
        self.add(
            f"{info}/WHEEL",
            f"Wheel-Version: 1.0\nGenerator: abut\nRoot-Is-Purelib: {pure}\nTag: {self.tag}\n".encode(),
        )
        self.add(f"{info}/RECORD", "\n".join([*self.record, f"{info}/RECORD,,", ""]).encode())
        self.archive.close()
        return self.name


def build_wheel(wheel_directory: str, config_settings: Any = None, metadata_directory: Any = None) -> str:
    """Builds a wheel of the package, the library, and the path of its build folder, where the command is."""
    library = shared_library()
    platform = sysconfig.get_platform().replace("-", "_").replace(".", "_")
    wheel = Wheel(wheel_directory, f"py3-none-{platform}" if library else "py3-none-any")
    for name, data in package().items():
        wheel.add(name, data)
    if library:
        name = "libabut.so." + ".".join(version().split(".")[:2])
        wheel.add(f"abut/_lib/{name}", library.read_bytes())
        wheel.add("abut/_built_in.txt", f"{library.parent}\n".encode())
    return wheel.finish()


def build_editable(wheel_directory: str, config_settings: Any = None, metadata_directory: Any = None) -> str:
    """Builds a wheel for `pip install -e`: a path to the sources, whose `build/` has the library."""
    wheel = Wheel(wheel_directory, "py3-none-any")
    wheel.add("abut.pth", f"{HERE}\n".encode())
    return wheel.finish()


def build_sdist(sdist_directory: str, config_settings: Any = None) -> str:
    """Packs the sources of the package, without the library."""
    stem = f"abut-{version()}"
    with tarfile.open(Path(sdist_directory) / f"{stem}.tar.gz", "w:gz") as archive:
        others = {name: (HERE / name).read_bytes() for name in ("pyproject.toml", "README.md")}
        for name, data in (package() | sources("backend") | others).items():
            entry = tarfile.TarInfo(f"{stem}/{name}")
            entry.size = len(data)
            archive.addfile(entry, io.BytesIO(data))
    return f"{stem}.tar.gz"


def get_requires_for_build_wheel(config_settings: Any = None) -> list[str]:
    """Returns no requirements."""
    return []


get_requires_for_build_editable = get_requires_for_build_sdist = get_requires_for_build_wheel
