"""Finds the build folders of the package: they have the library, the command and, in `python/abut/`, the declarations
that CMake generates from the public headers."""

import os
from pathlib import Path

HERE = Path(__file__).resolve().parent


def build_folders() -> list[Path]:
    """Returns the build folders of the sources, and of those that the package was installed from."""
    folders = []
    if (HERE.parents[1] / "include" / "abut" / "abut.h").exists():
        folders.append(HERE.parents[1] / "build")
    installed_from = HERE / "_built_in.txt"
    if installed_from.exists():
        folders.append(Path(installed_from.read_text(encoding="utf-8").strip()))
    return folders


def generated_folders() -> list[str]:
    """Returns the folders of the generated module for a package in its sources: of the build that ABUT_LIBRARY names,
    then of `build/`. An installed package contains the module itself."""
    library = os.environ.get("ABUT_LIBRARY", "")
    builds = [Path(library).parent] if os.sep in library else []
    return [str(folder / "python" / "abut") for folder in builds + build_folders()]
