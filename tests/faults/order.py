"""Checks in which order a run writes, renames and removes files, so that a power cut leaves a folder that can be resumed."""

import os.path

TABLES = ("trajectory.csv", "contacts.csv", "steps.csv")  # rows since the last snapshot may be lost


class Disk:
    """What is not yet on the disk."""

    def __init__(self):
        self.written = set()  # files with data in memory only
        self.named = set()  # paths whose new name is in memory only
        self.removed = set()  # paths whose removal is in memory only
        self.wrong = []

    def sync(self, path: str):
        self.written.discard(path)
        for paths in (self.named, self.removed):
            paths -= {name for name in paths if os.path.dirname(name) == path}

    def rename(self, old: str, new: str):
        name = os.path.basename(new)
        late = self.written - {old}
        if old in self.written:
            self.written = late | {new}
            if name not in TABLES:
                self.wrong.append(f"{new} gets its name before its data is on the disk")
        if name.startswith(("step_", "summary")) and late:
            self.wrong.append(f"{new} gets its name before {min(late)} is on the disk")
        unnamed = {path for path in self.named if os.path.basename(path) in TABLES}
        if name.startswith("step_") and unnamed:
            self.wrong.append(f"{new} gets its name before that of {min(unnamed)} is on the disk")
        if name == "run.json" and any("step_" in path for path in self.removed):
            self.wrong.append(f"{new} gets its name before the removal of {min(self.removed)} is on the disk")
        self.named.add(new)

    def unlink(self, path: str):
        new = {other for other in self.named if os.path.dirname(other) == os.path.dirname(path)}
        if "step_" in path and new:
            self.wrong.append(f"{path} is removed before {min(new)} is on the disk")
        self.removed.add(path)


def find_wrong(text: str, folder: str) -> list[str]:
    """What is wrong with the listed calls (calls.c) on files in `folder`/out."""
    disk, folder, start = Disk(), f"{folder}/out", folder
    for line in text.splitlines():
        what, base, first, second = line.split("\t")
        paths = [os.path.normpath(os.path.join(start, base, path)) for path in (first, second)]
        if what != "sync" and not any(path.startswith(f"{folder}/") and "replay" not in path for path in paths):
            continue  # a replay page can be written again
        if what == "rename":
            disk.rename(*paths)
        elif what == "unlink":
            if not first.endswith(".abut.tmp"):
                disk.unlink(paths[0])
        elif what == "sync":
            disk.sync(paths[0])
        else:
            disk.written.add(paths[0])
    left = disk.written | disk.named
    if not text:
        disk.wrong.append("no call is listed")
    return disk.wrong + ([f"{min(left)} is not on the disk at the end"] if left else [])
