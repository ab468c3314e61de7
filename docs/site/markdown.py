"""Converts a page of the repository to the form that Doxygen reads.

Pages are written for repository browsers: links to files, anchors made from headings, code blocks with words behind
their language. On the site, a page is `ID.html`, a heading has the anchor `ID-HEADING`, and a link to a file that is
not a page leads to a copy in `files/`.
"""
import posixpath
import re

FENCE = re.compile(r"^( *)```(.*)$")
SPAN = re.compile(r"(`+)(.+?)\1(?!`)", re.S)
LINK = re.compile(r"(!?)\[((?:[^\[\]]|\[[^\]]*\])*)\]\(([^() ]+)\)")
# Characters that Doxygen would interpret, and their stand-ins; put_back restores them in its output.
STAND_INS = {"|": "\ue07c", "--": "\ue02d"}
SECTION = re.compile(r"<!-- section: ([^,]+), (\d+) -->\n")


def anchor(heading):
    """Returns the anchor of a heading, as repository browsers name it."""
    return re.sub(r"[^a-z0-9 _-]", "", heading.lower()).replace(" ", "-")


def split(text):
    """Splits a page into a list of (is_code, text): blocks of code and the text between them."""
    parts, lines, code = [], [], False
    for line in text.split("\n"):
        fence = FENCE.match(line)
        if fence and not code:
            parts.append((False, "\n".join(lines)))
            lines, code = [line], True
        elif fence:
            parts.append((True, "\n".join(lines + [line])))
            lines, code = [], False
        else:
            lines.append(line)
    if code:
        raise ValueError("a block of code has no end")
    parts.append((False, "\n".join(lines)))
    return parts


def headings(text):
    """Returns [(level, words)] of the headings of a page."""
    return [(len(match[1]), match[2]) for is_code, part in split(text) if not is_code
            for match in re.finditer(r"(?m)^(#+) (.*?)[ \t]*$", part)]


def escape(words):
    """Escapes plain words for Doxygen."""
    return re.sub(r"([\\@<>&$#%*_`])", r"\\\1", words)


def summary(text):
    """Returns the first sentence of a page, with links and code as plain words."""
    words = re.sub(r"<!--.*?-->\n?", "", text, flags=re.S)
    for is_code, part in split(words):
        for paragraph in ([] if is_code else part.split("\n\n")):
            paragraph = " ".join(paragraph.split())
            if paragraph and paragraph[0] not in "#!|":
                paragraph = LINK.sub(r"\2", paragraph).replace("`", "").replace("*", "")
                return re.match(r".*?[.:?](?= |$)|.*", paragraph).group(0).rstrip(".:") + "."
    return ""


class Page:
    """One page: its place on the site, and its anchors."""

    def __init__(self, path, text):
        self.path = path
        self.text = text
        name = posixpath.splitext(path)[0]
        self.id = "page_" + re.sub(r"\W", "_", re.sub(r"^docs/", "", name)).lower()
        self.title = next((words for level, words in headings(text) if level == 1), name)
        self.anchors = [anchor(words) for _, words in headings(text)]
        section = SECTION.search(text)
        self.section, self.order = (section.group(1), int(section.group(2))) if section else (None, 0)

    def url(self, fragment=""):
        """Returns the address for links from other pages."""
        name = "index" if self.path == "README.md" else self.id
        return "%s.html%s" % (name, "#%s-%s" % (self.id, fragment) if fragment else "")


class Site:
    """The targets of links: pages, headers, files of the repository, and the symbols of the library."""

    def __init__(self, pages, exists, symbols):
        self.pages = {page.path: page for page in pages}
        self.exists = exists
        self.symbols = symbols
        self.files = set()  # to be copied, because pages link to them
        self.errors = []

    def target(self, page, link):
        """Returns the address on the site of `link` on `page`."""
        if re.match(r"\w+:", link):
            return link
        path, _, fragment = link.partition("#")
        path = posixpath.normpath(posixpath.join(posixpath.dirname(page.path), path)) if path else page.path
        other = self.pages.get(path)
        if other:
            if fragment and fragment not in other.anchors:
                self.errors.append("%s: no heading for the link %s" % (page.path, link))
            return other.url(fragment)
        if path.startswith("include/abut/") and path.endswith(".h"):
            return file_page(posixpath.basename(path))
        if not self.exists(path):
            self.errors.append("%s: no file for the link %s" % (page.path, link))
        self.files.add(path)
        return copied(path)

    def named(self, text):
        """Adds links to a header where a comment names a page, with or without the number of a section."""
        def link(match):
            page = self.pages.get(match[1])
            if not page:
                return match[0]
            number = match[2] and match[2].strip() + ". "
            found = [words for _, words in headings(page.text) if number and words.startswith(number)]
            return "[%s](%s)" % (match[0], page.url(anchor(found[0]) if found else ""))
        return re.sub(r"(docs/\w+\.md)( \d+)?", link, text)


def file_page(header):
    """Returns Doxygen's name for the page of a header."""
    return header.replace("_", "__").replace(".h", "_8h") + ".html"


def copied(path):
    """Returns the place of a copied file; sources become text files, so that browsers show them."""
    shown = path.endswith((".svg", ".png", ".json", ".html", ".txt", ".csv"))
    return "files/" + path + ("" if shown else ".txt")


def code_span(site, match):
    """Returns inline code; a symbol of the library becomes a link."""
    words = re.sub(r"\s+", " ", match.group(2))
    if words in site.symbols:
        return "<code>@ref %s</code>" % words
    return html_code(words) if "|" in words or words.count('"') % 2 else "``%s``" % words


def html_code(words):
    """Returns inline code as HTML, for bars (which would end a table cell) and unpaired quotes."""
    for char, entity in (("\\|", "|"), ("&", "&amp;"), ("<", "&lt;"), (">", "&gt;"), ('"', "&quot;"), ("@", "\\@")):
        words = words.replace(char, entity)
    for char, stand_in in STAND_INS.items():
        words = words.replace(char, stand_in)
    return "<code>%s</code>" % words


def prose(site, page, text):
    """Converts links, inline code and emphasis. Inline code is removed first, so that nothing in it is converted."""
    spans = []

    def keep(match):
        spans.append(code_span(site, match))
        return "\0%d\0" % (len(spans) - 1)

    def link(match):
        bang, words, address = match.groups()
        address = site.target(page, address)
        if bang:
            plain = re.sub(r"\0\d+\0", "", words)
            return '<img src="%s" alt="%s" class="picture"/>' % (address, plain)
        return "[%s](%s)" % (words, address)

    text = SPAN.sub(keep, text)
    text = LINK.sub(link, text)
    text = re.sub(r"\*\*(?=\S)([^*]+)\*\*", r"<b>\1</b>", text)
    text = re.sub(r"(?<![\w*])\*(?=\S)([^*]+)(?<=\S)\*(?!\w)", r"<em>\1</em>", text)
    text = re.sub(r"(?<![\\\w])@(?=\w)", r"\\@", text).replace("\\|", STAND_INS["|"])
    return re.sub(r"\0(\d+)\0", lambda m: spans[int(m.group(1))], text)


def put_back(html):
    """Restores the characters that have stand-ins in the output of Doxygen."""
    for char, stand_in in STAND_INS.items():
        html = html.replace(stand_in, char)
    return html


def heading_ids(page, text):
    """Adds the anchors of headings, and removes code marks, which Doxygen does not support there."""
    def named(match):
        level, words = match.groups()
        words = re.sub(r"\s*$", "", words)
        name = page.id if len(level) == 1 else "%s-%s" % (page.id, anchor(words))
        return "%s %s {#%s}" % (level, words.replace("`", "").replace("--", "\\--"), name)
    return re.sub(r"(?m)^(#+) (.*)$", named, text)


def contents(page, text):
    """Adds a table of contents to a page of at least four sections."""
    if sum(1 for level, _ in headings(page.text) if level == 2) < 4:
        return text
    return re.sub(r"(?m)\A(\s*# .*\n)", r"\1\n[TOC]\n", text, count=1)


def doxygen(site, page):
    """Returns the page in the form of Doxygen."""
    out = [part if is_code else prose(site, page, heading_ids(page, part))
           for is_code, part in split(SECTION.sub("", page.text))]
    return contents(page, "\n".join(out))
