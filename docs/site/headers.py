"""The public headers as Doxygen reads them.

The headers carry plain comments: one at the head of the file, one above each declaration, one behind a field. Doxygen
asks for `/**` and `/**<`, which stand here and not in the headers. What a comment is of:

    followed by code in the next line       that declaration
    --- WORDS ---, alone on its line        nothing: it divides the header, and is left out
    behind code on its line                 what stands before it
    the first one, or followed by a gap     the file

Enumerations that are made of a list, NAME_LIST(X), are written out, each constant with its name and its comment.
"""
import re

COMMENT = re.compile(r"/\*.*?\*/", re.S)
PLAIN = r"/\*(?:(?!\*/).)*\*/"
SECTION = re.compile(r"/\* --- .* --- \*/")
ENTRY = re.compile(r"(?P<above>(?:%s\s*)?)X\((?P<constant>\w+), (?P<name>\"[^\"]*\")\)[ \t]*(?P<behind>(?:%s)?)"
                   % (PLAIN, PLAIN), re.S)
LIST = re.compile(r"(?P<comment>(?:%s\n)?)#define (?P<list>\w+_LIST)\(X\)(?P<entries>(?:[^\n]*\\\n)*[^\n]*\n)"
                  % PLAIN, re.S)
ENUM = re.compile(r"typedef enum (?P<type>\w+) {\s*(?P<list>\w+_LIST)\(ABUT_X\)\s*(?P<count>\w+)\s*} \w+;")


def strip_comment(text):
    """The words of a comment, without its stars, as lines."""
    return [re.sub(r"^\s*\* ?", "", line).rstrip() for line in text[2:-2].strip().split("\n")]


def words(comment):
    """A comment in one line; of that of a list, what it says of the enumeration."""
    text = " ".join(line for line in strip_comment(comment.strip() or "/**/") if line)
    return re.sub(r"\s*X\([^)]*\)\.", "", text).strip()


def write_out_lists(text):
    """Enumerations by their constants, and no macro of lists."""
    known = {match["list"]: match for match in LIST.finditer(text)}

    def enumeration(match):
        entries = known[match["list"]]
        lines = ["/* %s */" % words(entries["comment"])] if words(entries["comment"]) else []
        lines.append("typedef enum %s {" % match["type"])
        for entry in ENTRY.finditer(entries["entries"].replace("\\\n", "\n")):
            said = words(entry["above"]) or words(entry["behind"])
            lines.append("\t%s, /* %s%s */" % (entry["constant"], entry["name"], ": " + said if said else ""))
        return "\n".join(lines + ["\t%s /* how many there are */" % match["count"], "} %s;" % match["type"]])

    text = re.sub(r"(?m)^#define ABUT_X\(.*\n|^#undef ABUT_X\n", "", LIST.sub("", text))
    return ENUM.sub(enumeration, text)


def one_by_one(text):
    """Fields that share a line and a comment, each on a line of its own."""
    def fields(match):
        indent, kind, names, comment = match.groups()
        return "\n".join("%s%s %s; %s" % (indent, kind, name, comment) for name in names.split(", "))
    return re.sub(r"(?m)^(\t)([\w ]+?) (\w+(?:\[\w+\])*(?:, \w+(?:\[\w+\])*)+);[ \t]*(%s)" % PLAIN, fields, text,
                  flags=re.S)


def doxygen(text, name):
    """The header `name` with comments as Doxygen wants them."""
    text = one_by_one(write_out_lists(text))
    out, at, first = [], 0, True
    for match in COMMENT.finditer(text):
        before, after = text[:match.start()], text[match.end():]
        line = before[before.rfind("\n") + 1:]
        out.append(text[at:match.start()])
        words = match.group(0)[2:]
        if SECTION.fullmatch(match.group(0)):
            at = match.end()
            continue
        if line.strip():
            out.append("/**<" + words)
        elif first or re.match(r"[ \t]*\n[ \t]*\n", after) or not after.strip():
            out.append("/** @file %s\n *\n * @details%s" % (name, words))
        else:
            out.append("/**" + words)
        first = False
        at = match.end()
    return "".join(out) + text[at:]
