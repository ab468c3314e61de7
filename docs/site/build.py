#!/usr/bin/env python3
"""Builds the documentation site from the pages of this repository and, with Doxygen, its public headers.

Usage: docs/site/build.py BUILD_FOLDER

Writes BUILD_FOLDER/docs/html; its index.html opens from the disk. Pages need no list: README.md and the like, every
docs/*.md, and the README of every experiment. A line `<!-- section: NAME, ORDER -->` gives the section of a page,
otherwise `More`. Warnings of Doxygen and broken links are errors. Needs only Python's standard library.
"""
import glob
import html.parser
import os
import re
import shutil
import subprocess
import sys

import headers
import markdown

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
# Sections in the order of the navigation, each with a summary.
SECTIONS = {
    "Start": "Install, build, and write a scene of your own.",
    "Scene files": "Every key of a scene, the command, and the files of a run.",
    "Theory": "The equations, in the order of the paper, and where each is in the code.",
    "Architecture": "How a scene becomes motion, and which file does each part of that.",
    "Extending": "A primitive, a method, an experiment of your own.",
    "Experiments": "Comparisons and their results, in tables and pictures.",
    "Performance": "Measurements, with the commands that repeat them.",
    "API": "The library, header by header.",
    "Python": "The same from Python.",
    "More": "Pages of no other section.",
}
# Sections of pages without a section line.
ELSEWHERE = {"CONTRIBUTING.md": ("Extending", 9), "SECURITY.md": ("Architecture", 9), "CHANGELOG.md": ("Start", 9)}


def read(path):
    with open(os.path.join(ROOT, path), encoding="utf-8") as file:
        return file.read()


def write(path, text):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)


def find(pattern):
    return sorted(os.path.relpath(path, ROOT) for path in glob.glob(os.path.join(ROOT, pattern), recursive=True))


def find_pages():
    pages = []
    for path in ["README.md"] + list(ELSEWHERE) + find("docs/*.md") + find("experiments/*/README.md"):
        page = markdown.Page(path, read(path))
        page.section, page.order = ELSEWHERE.get(path, (page.section, page.order))
        if path.startswith("experiments/"):
            page.section, page.order = "Experiments", 50
        if page.section not in SECTIONS:
            page.section = "More"
        pages.append(page)
    return pages


def section_page(name, pages):
    """Returns a page that lists the pages of a section, which become its children in the navigation."""
    lines = ["# %s {#section_%s}" % (name, re.sub(r"\W", "_", name.lower())), "", SECTIONS[name], ""]
    for page in sorted(pages, key=lambda page: (page.order, page.path)):
        lines.append("- \\subpage %s \"%s\"" % (page.id, page.title.replace("`", "")))
        lines.append("  <br>%s" % markdown.escape(markdown.summary(page.text)))
    return "\n".join(lines) + "\n"


def symbols():
    """Returns the functions and types of the headers, which pages may link to."""
    text = "".join(read(path) for path in find("include/abut/*.h"))
    return set(re.findall(r"\b(abut_\w+)\(", text)) | set(re.findall(r"(?:struct|enum) (Abut\w+) {", text))


def stage(folder):
    """Writes the input of Doxygen to `folder`; returns the site."""
    pages = find_pages()
    site = markdown.Site(pages, lambda path: os.path.exists(os.path.join(ROOT, path)), symbols())
    for page in pages:
        write(os.path.join(folder, page.path), markdown.doxygen(site, page))
    for number, name in enumerate(SECTIONS):
        inside = [page for page in pages if page.section == name and page.path != "README.md"]
        if inside:
            write(os.path.join(folder, "sections", "%02d.md" % number), section_page(name, inside))
    for path in find("include/abut/*.h"):
        write(os.path.join(folder, path), headers.doxygen(site.named(read(path)), os.path.basename(path)))
    return site


def run_doxygen(build, folder, log):
    """Runs Doxygen; returns whether it printed no warning."""
    site = os.path.join(ROOT, "docs/site")
    version = ".".join(re.findall(r"ABUT_VERSION_\w+ (\d+)", read("include/abut/version.h")))
    settings = read("docs/site/Doxyfile") + f"""
PROJECT_NUMBER = {version}
INPUT = {folder}
RECURSIVE = YES
STRIP_FROM_PATH = {folder}/include {folder}
STRIP_FROM_INC_PATH = {folder}/include
OUTPUT_DIRECTORY = {build}
WARN_LOGFILE = {log}
USE_MDFILE_AS_MAINPAGE = {folder}/README.md
HTML_EXTRA_STYLESHEET = {site}/style.css
LAYOUT_FILE = {site}/layout.xml
"""
    subprocess.run(["doxygen", "-"], input=settings, text=True, check=False, stdout=subprocess.DEVNULL)
    warnings = read(log).replace(folder + "/", "")
    sys.stderr.write(warnings)
    return not warnings


def copy_files(site, out):
    """Copies the files that pages link to; a folder becomes the list of its files."""
    for path in sorted(site.files):
        source, target = os.path.join(ROOT, path), os.path.join(out, markdown.copied(path))
        if os.path.isdir(source):
            write(target, "\n".join(sorted(os.listdir(source))) + "\n")
        else:
            os.makedirs(os.path.dirname(target), exist_ok=True)
            shutil.copyfile(source, target)


def put_back(out):
    for path in find(os.path.join(out, "**/*.html")) + find(os.path.join(out, "**/*.js")):
        write(os.path.join(ROOT, path), markdown.put_back(read(path)))


class Links(html.parser.HTMLParser):
    """Collects the addresses and the anchors of a page."""

    def __init__(self, text):
        super().__init__()
        self.to, self.anchors = [], set()
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        attrs = dict(attrs)
        self.to += [attrs[key] for key in ("href", "src") if attrs.get(key)]
        self.anchors.update(attrs[key] for key in ("id", "name") if attrs.get(key))


def broken(out):
    """Yields a sentence for each local link that leads nowhere, and for each visible HTML entity."""
    texts = {os.path.basename(path): read(path) for path in find(os.path.join(out, "*.html"))}
    pages = {name: Links(text) for name, text in texts.items()}
    for name, parser in pages.items():
        for entity in re.findall(r"&amp;#?\w+;", texts[name]):
            yield "%s: shows %s" % (name, entity.replace("&amp;", "&"))
        for address in parser.to:
            path, _, fragment = address.partition("#")
            path = path.split("?")[0] or name
            if re.match(r"\w+:", address):
                continue
            if not os.path.exists(os.path.join(out, path)):
                yield "%s: no file for %s" % (name, address)
            elif fragment and path in pages and fragment not in pages[path].anchors:
                yield "%s: no place for %s" % (name, address)


def main():
    if len(sys.argv) != 2:
        sys.exit("usage: docs/site/build.py BUILD_FOLDER")
    if not shutil.which("doxygen"):
        sys.exit("site: doxygen is missing (scripts/setup.sh scripts/packages-ci.txt installs it)")
    build = os.path.join(os.path.abspath(sys.argv[1]), "docs")
    folder, out = os.path.join(build, "staged"), os.path.join(build, "html")
    for old in (folder, out):
        shutil.rmtree(old, ignore_errors=True)
    site = stage(folder)
    clean = run_doxygen(build, folder, os.path.join(build, "warnings.txt"))
    put_back(out)
    copy_files(site, out)
    errors = site.errors + list(broken(out))
    for error in errors:
        print("site: " + error, file=sys.stderr)
    if errors or not clean:
        sys.exit(1)
    print("site: " + os.path.join(out, "index.html"))


if __name__ == "__main__":
    main()
