#!/usr/bin/env python3
"""Builds the documentation site: the pages of this repository and the reference of its public headers, by Doxygen.

Usage: docs/site/build.py BUILD_FOLDER

Writes BUILD_FOLDER/docs/html, whose index.html opens from the disk. Pages are found, not listed: README.md and the
like, every docs/*.md, the README of every experiment. A page says where it belongs by a line
`<!-- section: NAME, ORDER -->`; one without it stands under `More`. What Doxygen warns of, and a link that leads
nowhere, is an error. Python's standard library only.
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
# Sections in the order of the navigation, with a sentence each.
SECTIONS = {
    "Start": "Install, build, and a scene of your own.",
    "Scene files": "Every key of a scene, the command, and what runs write.",
    "Theory": "The equations, in the order of the paper, and where each is in the code.",
    "Architecture": "How a scene becomes a motion, and in which file each part of that happens.",
    "Extending": "A primitive, a method, an experiment of your own.",
    "Experiments": "What is compared, what came out, in tables and pictures.",
    "Performance": "What was measured, with the commands that repeat it.",
    "API": "The library, header by header.",
    "Python": "The same from Python.",
    "More": "Pages of no other section.",
}
# Pages that carry no line of their own: what stands at the root, and what experiments show as their own page.
ELSEWHERE = {"CONTRIBUTING.md": ("Extending", 9), "CHANGELOG.md": ("Start", 9)}


def read(path):
    with open(os.path.join(ROOT, path), encoding="utf-8") as file:
        return file.read()


def write(path, text):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)


def find(pattern):
    return sorted(os.path.relpath(path, ROOT) for path in glob.glob(os.path.join(ROOT, pattern)))


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
    """A page that lists those of a section, and makes them its children in the navigation."""
    lines = ["# %s {#section_%s}" % (name, re.sub(r"\W", "_", name.lower())), "", SECTIONS[name], ""]
    for page in sorted(pages, key=lambda page: (page.order, page.path)):
        lines.append("- \\subpage %s \"%s\"" % (page.id, page.title.replace("`", "")))
        lines.append("  <br>%s" % markdown.escape(markdown.summary(page.text)))
    return "\n".join(lines) + "\n"


def symbols():
    """What the headers declare and pages may name: functions and types."""
    text = "".join(read(path) for path in find("include/abut/*.h"))
    return set(re.findall(r"\b(abut_\w+)\(", text)) | set(re.findall(r"(?:struct|enum) (Abut\w+) {", text))


def stage(folder):
    """Writes what Doxygen reads into `folder`; returns the site."""
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
    """True when it had nothing to say."""
    with open(os.path.join(ROOT, "docs/site/Doxyfile"), encoding="utf-8") as file:
        settings = file.read()
    version = ".".join(re.findall(r"ABUT_VERSION_\w+ (\d+)", read("include/abut/version.h")))
    settings += "\n".join([
        "", "PROJECT_NUMBER = %s" % version, "INPUT = %s" % folder, "RECURSIVE = YES",
        "STRIP_FROM_PATH = %s/include %s" % (folder, folder), "STRIP_FROM_INC_PATH = %s/include" % folder,
        "OUTPUT_DIRECTORY = %s" % build, "WARN_LOGFILE = %s" % log,
        "USE_MDFILE_AS_MAINPAGE = %s/README.md" % folder,
        "HTML_EXTRA_STYLESHEET = %s" % os.path.join(ROOT, "docs/site/style.css"),
        "LAYOUT_FILE = %s" % os.path.join(ROOT, "docs/site/layout.xml"), ""])
    subprocess.run(["doxygen", "-"], input=settings, text=True, check=False, stdout=subprocess.DEVNULL)
    with open(log, encoding="utf-8") as file:
        said = file.read().replace(folder + "/", "")
    sys.stderr.write(said)
    return not said


def copy_files(site, out):
    for path in sorted(site.files):
        source, target = os.path.join(ROOT, path), os.path.join(out, markdown.copied(path))
        os.makedirs(os.path.dirname(target), exist_ok=True)
        if os.path.isdir(source):
            write(target, "\n".join(sorted(os.listdir(source))) + "\n")
        else:
            shutil.copyfile(source, target)


def put_back(out):
    for path in glob.glob(os.path.join(out, "**/*.html"), recursive=True) + \
            glob.glob(os.path.join(out, "**/*.js"), recursive=True):
        with open(path, encoding="utf-8") as file:
            text = file.read()
        write(path, markdown.put_back(text))


def escaped_twice(out):
    """Entities that a reader would see as such, as sentences."""
    for path in sorted(glob.glob(os.path.join(out, "*.html"))):
        with open(path, encoding="utf-8") as file:
            for entity in re.findall(r"&amp;#?\w+;", file.read()):
                yield "%s: shows %s" % (os.path.basename(path), entity.replace("&amp;", "&"))


class Links(html.parser.HTMLParser):
    """The addresses on a page, and the places that addresses may name."""

    def __init__(self):
        super().__init__()
        self.to, self.anchors = [], set()

    def handle_starttag(self, tag, attrs):
        attrs = dict(attrs)
        self.to += [attrs[key] for key in ("href", "src") if attrs.get(key)]
        self.anchors.update(attrs[key] for key in ("id", "name") if attrs.get(key))


def broken_links(out):
    """Addresses of the site's pages that lead nowhere on the disk, as sentences."""
    pages = {}
    for path in glob.glob(os.path.join(out, "*.html")):
        pages[os.path.basename(path)] = parser = Links()
        with open(path, encoding="utf-8") as file:
            parser.feed(file.read())
    for name, parser in sorted(pages.items()):
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
    errors = site.errors + list(broken_links(out)) + list(escaped_twice(out))
    for error in errors:
        print("site: " + error, file=sys.stderr)
    if errors or not clean:
        sys.exit(1)
    print("site: " + os.path.join(out, "index.html"))


if __name__ == "__main__":
    main()
