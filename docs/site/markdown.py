"""A page of the repository as Doxygen reads it.

Pages are written for a browser of repositories: links to files, anchors made of headings, code blocks with words behind
their language. On the site a page is `ID.html`, a heading has the anchor `ID-HEADING`, and a link to a file that is no
page leads to a copy of it in `files/`.
"""
import posixpath
import re

FENCE = re.compile(r"^( *)```(.*)$")
SPAN = re.compile(r"(`+)(.+?)\1(?!`)", re.S)
LINK = re.compile(r"(!?)\[((?:[^\[\]]|\[[^\]]*\])*)\]\(([^() ]+)\)")
# Characters that Doxygen takes for signs of its own, while it reads: they are put back on the pages that it wrote.
STAND_INS = {"|": "\ue07c", "--": "\ue02d"}
SECTION = re.compile(r"<!-- section: ([^,]+), (\d+) -->\n")


def anchor(heading):
    """As browsers of repositories name a heading."""
    return re.sub(r"[^a-z0-9 _-]", "", heading.lower()).replace(" ", "-")


def headings(text):
    """[(level, words)] of a page, code left out."""
    found, code = [], False
    for line in text.split("\n"):
        if FENCE.match(line):
            code = not code
        match = None if code else re.match(r"(#+) (.*?)\s*$", line)
        if match:
            found.append((len(match.group(1)), match.group(2)))
    return found


def split(text):
    """A page as a list of (is_code, text): blocks of code, and what stands between them."""
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


def escape(words):
    """Plain words that Doxygen shall take for nothing else."""
    return re.sub(r"([\\@<>&$#%*_`])", r"\\\1", words)


def summary(text):
    """The first sentence of a page's first paragraph, links and code as plain words."""
    words = re.sub(r"<!--.*?-->\n?", "", text, flags=re.S)
    for is_code, part in split(words):
        for paragraph in ([] if is_code else part.split("\n\n")):
            paragraph = " ".join(paragraph.split())
            if paragraph and paragraph[0] not in "#!|":
                paragraph = LINK.sub(r"\2", paragraph).replace("`", "").replace("*", "")
                return re.match(r".*?[.:?](?= |$)|.*", paragraph).group(0).rstrip(".:") + "."
    return ""


class Page:
    """One page: where it stands, and how others link to it."""

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
        """From another page of the site."""
        name = "index" if self.path == "README.md" else self.id
        return "%s.html%s" % (name, "#%s-%s" % (self.id, fragment) if fragment else "")


class Site:
    """What pages may link to: each other, headers, files of the repository; and the symbols of the library."""

    def __init__(self, pages, exists, symbols):
        self.pages = {page.path: page for page in pages}
        self.exists = exists
        self.symbols = symbols
        self.files = set()  # linked to, and so to be copied
        self.errors = []

    def target(self, page, link):
        """The address of `link`, found on `page`, within the site."""
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
        """A header's text with links where a comment names a page, and a section of it by its number."""
        def link(match):
            page = self.pages.get(match[1])
            if not page:
                return match[0]
            number = match[2] and match[2].strip() + ". "
            found = [words for _, words in headings(page.text) if number and words.startswith(number)]
            return "[%s](%s)" % (match[0], page.url(anchor(found[0]) if found else ""))
        return re.sub(r"(docs/\w+\.md)( \d+)?", link, text)


def file_page(header):
    """Doxygen's name of the page of a header."""
    return header.replace("_", "__").replace(".h", "_8h") + ".html"


def copied(path):
    """Where a file that is linked to stands on the site; sources as text, so that browsers show them."""
    shown = path.endswith((".svg", ".png", ".json", ".html", ".txt", ".csv"))
    return "files/" + path + ("" if shown else ".txt")


def code_span(site, match):
    """Code in a line. A name of the library alone is a link; quotes in it are no quotes to Doxygen."""
    words = re.sub(r"\s+", " ", match.group(2))
    if words in site.symbols:
        return "<code>@ref %s</code>" % words
    return html_code(words) if "|" in words or words.count('"') % 2 else "``%s``" % words


def html_code(words):
    """Code that holds a bar, which would end a cell of a table, or half a pair of quotes, which would go on."""
    for char, entity in (("\\|", "|"), ("&", "&amp;"), ("<", "&lt;"), (">", "&gt;"), ('"', "&quot;"), ("@", "\\@")):
        words = words.replace(char, entity)
    for char, stand_in in STAND_INS.items():
        words = words.replace(char, stand_in)
    return "<code>%s</code>" % words


def prose(site, page, text):
    """Links, code spans and emphasis of what is no block of code. Spans are taken out first: nothing in them counts."""
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
    """A page that Doxygen wrote, with the characters that others stood in for."""
    for char, stand_in in STAND_INS.items():
        html = html.replace(stand_in, char)
    return html


def heading_ids(page, text):
    """Gives headings the anchors that links use, and takes code out of them, which Doxygen does not show there."""
    def named(match):
        level, words = match.groups()
        words = re.sub(r"\s*$", "", words)
        name = page.id if len(level) == 1 else "%s-%s" % (page.id, anchor(words))
        return "%s %s {#%s}" % (level, words.replace("`", "").replace("--", "\\--"), name)
    return re.sub(r"(?m)^(#+) (.*)$", named, text)


def contents(page, text):
    """A table of contents behind the first heading of a page of several sections."""
    if sum(1 for level, _ in headings(page.text) if level == 2) < 4:
        return text
    return re.sub(r"(?m)\A(\s*# .*\n)", r"\1\n[TOC]\n", text, count=1)


def block(text):
    """A block of code, with nothing but the language behind its fence."""
    first, rest = text.split("\n", 1)
    return re.sub(r"^( *```)\s*(\w*).*$", r"\1\2", first) + "\n" + rest


def doxygen(site, page):
    """The page as Doxygen wants it."""
    out = [block(part) if is_code else prose(site, page, heading_ids(page, part))
           for is_code, part in split(SECTION.sub("", page.text))]
    return contents(page, "\n".join(out))
