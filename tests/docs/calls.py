"""Calls of `abut` in text: whether verbs and options are there, by what `abut help` says."""
import functools
import os
import re
import shlex
import subprocess


@functools.lru_cache(maxsize=None)
def options(build, verb):
    """The options that `abut help VERB` names; None when there is no such verb."""
    done = subprocess.run([os.path.join(build, "abut"), "help", verb], text=True, stdout=subprocess.PIPE,
                          stderr=subprocess.DEVNULL, check=False)
    return frozenset(re.findall(r"--[a-z][a-z-]*", done.stdout)) if done.returncode == 0 else None


def calls(text):
    """The words after `abut` of each call: in shell, behind a pipe, an assignment or `mpirun`."""
    for line in text.replace("\\\n", " ").split("\n"):
        for part in re.split(r"&&|\|\||[;|]", line):
            match = re.match(r"\s*(?:\w+=\S+\s+|mpirun (?:-n \w+ )?)*(?:build/)?abut\s+(.*)", part)
            if match:
                yield shlex.split(re.sub(r"\.\.\.|[<>].*", "", match[1]), comments=True)


def complaints(text, build):
    """What is wrong with the calls of `abut` in `text`, as sentences."""
    for words in calls(text):
        if not words or words[0].startswith("-"):
            continue
        known = options(build, words[0])
        if known is None:
            yield "abut has no verb %s" % words[0]
            continue
        for word in words[1:]:
            if word.startswith("--") and len(word) > 2 and word.split("=")[0] not in known:
                yield "abut %s has no option %s" % (words[0], word)
