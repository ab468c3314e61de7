#!/usr/bin/env python3
"""What pages name in the middle of a line is there: files, tests, functions, calls of `abut`, and links.

Usage: tests/docs/mentions.py BUILD_FOLDER

    `dynamics/step/gather.c`, `gradient*.c`         a file of the repository; stars stand for any letters
    `tests/x.c`, `suite/test`, `suite/*`       a test file; a test that some file of tests/ declares
    `abut_step`, `AbutModel`                   a name of the sources
    `abut run --log FILE`                      a verb and its options, by `abut help`
    [text](file.md#heading)                    a file, and a heading of it

The table of folders in docs/design.md lists exactly the folders of the repository that hold sources. CHANGELOG.md tells of what was, and is held to its links alone. Python's standard library only.
"""
import fnmatch
import os
import re
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(ROOT, "docs/site"))
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import build as site_builder  # noqa: E402
import calls  # noqa: E402
import markdown  # noqa: E402

FOLDERS = "base|shapes|solver|collision|dynamics|io|experiments|cli|tests|scripts|docs|include|cmake|python"
TEST = re.compile(r"\b(?:Test|ParameterizedTest|Theory)\((?:[^,()]*, *)?(\w+), (\w+)[,)]")


def tracked():
    """Files of the repository, new ones too."""
    done = subprocess.run(["git", "-C", ROOT, "ls-files", "--cached", "--others", "--exclude-standard"], text=True,
                          stdout=subprocess.PIPE, check=False)
    found = done.stdout.split("\n") if done.returncode == 0 else [
        os.path.relpath(os.path.join(folder, name), ROOT) for folder, _, names in os.walk(ROOT) for name in names]
    return [path for path in found if path]


class Repository:
    """Names of the repository that pages may use."""

    def __init__(self, build):
        self.build = build
        self.files = tracked()
        self.folders = {os.path.dirname(path) for path in self.files}
        self.folders |= {folder.rsplit("/", depth)[0] for folder in self.folders for depth in (1, 2)}
        self.bases = {os.path.basename(path) for path in self.files}
        self.names, self.tests = set(), set()
        for path in self.files:
            if re.search(r"\.(c|h|cpp|py)$", path) and os.path.exists(os.path.join(ROOT, path)):
                with open(os.path.join(ROOT, path), encoding="utf-8") as file:
                    text = file.read()
                self.names.update(re.findall(r"\b(?:abut_\w+|Abut\w+|ABUT_\w+)", text))
                if path.startswith("tests/"):
                    self.tests.update("/".join(pair) for pair in TEST.findall(text))

    def has_file(self, path):
        path = path.rstrip("/")
        if "*" in path:
            return any(fnmatch.fnmatch(name, path) for name in (self.files if "/" in path else self.bases))
        return path in self.files or path in self.folders or ("/" not in path and path in self.bases)

    def complaints(self, words):
        """What is wrong with the code span `words`, as sentences. NAME in a path or a name stands for any."""
        words = re.sub(r"NAME(?=[./_]|$)", "*", words)
        if re.fullmatch(r"(?:build/)?abut [a-z].*", words):
            yield from calls.complaints(words, self.build)
        elif re.match(r"(?:\w+=\S+ )?build/tests/test_\w+", words):
            yield from self.filters(words)
        elif re.fullmatch(r"(?:%s)/[\w./*-]+" % FOLDERS, words) or re.fullmatch(r"[\w*]+\.(?:c|h|sh|py)", words):
            if not self.has_file(words):
                yield "no file " + words
        elif re.fullmatch(r"[a-z]\w+/[\w*]+", words) and not re.search(r"[A-Z.]", words):
            if not fnmatch.filter(self.tests, words) and words.split("/")[0] not in ("abut", "share", "build", "out"):
                yield "no test or file " + words
        elif re.fullmatch(r"abut_\w+|Abut\w+|ABUT_\w+", words) and words not in self.names:
            yield "no name " + words

    def filters(self, words):
        for pattern in re.findall(r"--filter '([^']*)'", words):
            if not fnmatch.filter(self.tests, pattern):
                yield "no test matches " + pattern


def rooms(files):
    """The folders that docs/design.md has to list: those with sources, but for experiments and python only the top."""
    folders = {os.path.dirname(path) for path in files
               if re.match(r"(?:base|shapes|solver|collision|dynamics|io|cli)/.*\.[ch]$", path)}
    tops = {folder.split("/")[0] for folder in folders}
    return folders | tops | {"include/abut", "dynamics/methods", "experiments", "python"}


def room_complaints(page, files):
    section = page.split("\n## Folders\n")[1].split("\n## ")[0]
    listed = set(re.findall(r"(?m)^\| `([\w/]+)/` \|", section))
    for folder in sorted(rooms(files) - listed):
        yield "docs/design.md: Folders does not list %s/" % folder
    for folder in sorted(listed - rooms(files)):
        yield "docs/design.md: Folders lists %s/, which holds no sources" % folder


def spans(text):
    """(line, words) of each code span outside of blocks."""
    line = 1
    for is_code, part in markdown.split(text):
        for match in [] if is_code else markdown.SPAN.finditer(part):
            yield line + part.count("\n", 0, match.start()), re.sub(r"\s+", " ", match.group(2)).replace("\\|", "|")
        line += part.count("\n") + 1


def main():
    repository = Repository(os.path.abspath(sys.argv[1]))
    failures = []
    pages = site_builder.find_pages()
    site = markdown.Site(pages, repository.has_file, set())
    for page in pages:
        markdown.doxygen(site, page)
        for line, words in spans("" if page.path == "CHANGELOG.md" else page.text):
            failures += ["%s:%d: %s" % (page.path, line, what) for what in repository.complaints(words)]
        if page.path == "docs/design.md":
            failures += room_complaints(page.text, repository.files)
    for failure in failures + site.errors:
        print("docs: " + failure, file=sys.stderr)
    sys.exit(1 if failures or site.errors else 0)


if __name__ == "__main__":
    main()
