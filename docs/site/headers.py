"""Converts the public headers to the form that Doxygen reads.

The headers have plain comments: at the head of the file, above each declaration, behind a field. Doxygen needs `/**`
and `/**<`, which this module inserts. The place of a comment determines what it describes:

    code in the next line                   that declaration
    behind code on its line                 that code
    the first one, or followed by a gap     the file
    between dashes, as --- hulls ---        nothing: a heading for readers of the header

Enumerations made from a list, NAME_LIST(X), are written out, each constant with its name and its comment.
"""
import re

COMMENT = re.compile(r"/\*.*?\*/", re.S)
HEADING = re.compile(r"(?m)^/\* --- .* --- \*/\n+")
PLAIN = r"/\*(?:(?!\*/).)*\*/"
ENTRY = re.compile(r"(?P<above>(?:%s\s*)?)X\((?P<constant>\w+), (?P<name>\"[^\"]*\")\)[ \t]*(?P<behind>(?:%s)?)"
                   % (PLAIN, PLAIN), re.S)
LIST = re.compile(r"(?P<comment>(?:%s\n)?)#define (?P<list>\w+_LIST)\(X\)(?P<entries>(?:[^\n]*\\\n)*[^\n]*\n)"
                  % PLAIN, re.S)
ENUM = re.compile(r"typedef enum (?P<type>\w+) {\s*(?P<list>\w+_LIST)\(ABUT_X\)\s*(?P<count>\w+)\s*} \w+;")


def strip_comment(text):
    """Returns the lines of a comment without its stars."""
    return [re.sub(r"^\s*\* ?", "", line).rstrip() for line in text[2:-2].strip().split("\n")]


def words(comment):
    """Returns a comment in one line; for a list, the part about the enumeration."""
    text = " ".join(line for line in strip_comment(comment.strip() or "/**/") if line)
    return re.sub(r"\s*X\([^)]*\)\.", "", text).strip()


def write_out_lists(text):
    """Replaces lists by enumerations with their constants."""
    known = {match["list"]: match for match in LIST.finditer(text)}

    def enumeration(match):
        entries = known[match["list"]]
        lines = ["/* %s */" % words(entries["comment"])] if words(entries["comment"]) else []
        lines.append("typedef enum %s {" % match["type"])
        for entry in ENTRY.finditer(entries["entries"].replace("\\\n", "\n")):
            said = words(entry["above"]) or words(entry["behind"])
            lines.append("\t%s, /* %s%s */" % (entry["constant"], entry["name"], ": " + said if said else ""))
        return "\n".join(lines + ["\t%s /* number of constants */" % match["count"], "} %s;" % match["type"]])

    text = re.sub(r"(?m)^#define ABUT_X\(.*\n|^#undef ABUT_X\n", "", LIST.sub("", text))
    return ENUM.sub(enumeration, text)


def one_by_one(text):
    """Puts fields that share a line and a comment on separate lines."""
    def fields(match):
        indent, kind, names, comment = match.groups()
        return "\n".join("%s%s %s; %s" % (indent, kind, name, comment) for name in names.split(", "))
    return re.sub(r"(?m)^(\t)([\w ]+?) (\w+(?:\[\w+\])*(?:, \w+(?:\[\w+\])*)+);[ \t]*(%s)" % PLAIN, fields, text,
                  flags=re.S)


def doxygen(text, name):
    """Returns the header `name` with comments in the form of Doxygen."""
    text = one_by_one(write_out_lists(HEADING.sub("", text)))
    out, at, first = [], 0, True
    for match in COMMENT.finditer(text):
        before, after = text[:match.start()], text[match.end():]
        line = before[before.rfind("\n") + 1:]
        out.append(text[at:match.start()])
        words = match.group(0)[2:]
        if line.strip():
            out.append("/**<" + words)
        elif first or re.match(r"[ \t]*\n[ \t]*\n", after) or not after.strip():
            out.append("/** @file %s\n *\n * @details%s" % (name, words))
        else:
            out.append("/**" + words)
        first = False
        at = match.end()
    return "".join(out) + text[at:]
