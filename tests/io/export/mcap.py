"""A reader of MCAP by its specification (mcap.dev/spec) that holds every record against every other: lengths, check
sums, indexes, statistics and the summary; and of Protocol Buffers by the descriptor in the file.
"""
import struct
import zlib

MAGIC = b"\x89MCAP0\r\n"
(HEADER, FOOTER, SCHEMA, CHANNEL, MESSAGE, CHUNK, MESSAGE_INDEX, CHUNK_INDEX, STATISTICS, SUMMARY_OFFSET,
 DATA_END) = 1, 2, 3, 4, 5, 6, 7, 8, 11, 14, 15


class Cursor:
    """Bytes that are read one after the other."""

    def __init__(self, data):
        self.data, self.at = data, 0

    def take(self, n):
        """The next n bytes."""
        assert 0 <= n <= len(self.data) - self.at, "the record ends too early"
        self.at += n
        return self.data[self.at - n:self.at]

    def integer(self, n):
        """A number of n bytes."""
        return int.from_bytes(self.take(n), "little")

    def text(self):
        """A string with its length before it."""
        return self.take(self.integer(4)).decode("utf-8")

    def pairs(self, first, second):
        """A map of numbers, or an array of pairs, with its length in bytes before it."""
        inner = Cursor(self.take(self.integer(4)))
        found = []
        while not inner.done():
            found.append((inner.integer(first), inner.integer(second)))
        return found

    def done(self):
        """Whether nothing is left."""
        return self.at == len(self.data)


def records(data, start=0):
    """(opcode, content, place) of each record."""
    cursor = Cursor(data)
    while not cursor.done():
        place = start + cursor.at
        opcode = cursor.integer(1)
        yield opcode, cursor.take(cursor.integer(8)), place


class Message:
    """A message, its channel, and where it stands in its chunk."""

    def __init__(self, content, place):
        cursor = Cursor(content)
        self.channel, self.sequence = cursor.integer(2), cursor.integer(4)
        self.time, self.published = cursor.integer(8), cursor.integer(8)
        self.data, self.place = content[cursor.at:], place


class Mcap:
    """A whole file: `schemas` {id: (name, encoding, data)}, `channels` {id: (schema, topic, encoding)}, `messages`."""

    def __init__(self, data):
        assert data.startswith(MAGIC) and data.endswith(MAGIC)
        self.data = data
        self.schemas, self.channels, self.messages, self.chunks = {}, {}, [], {}
        end = len(data) - len(MAGIC)
        footer = Cursor(data[end - 29:end])
        assert footer.integer(1) == FOOTER and footer.integer(8) == 20
        self.summary, self.offsets, crc = footer.integer(8), footer.integer(8), footer.integer(4)
        assert crc == zlib.crc32(data[self.summary:end - 4]), "the summary's check sum"
        self.read_data()
        self.read_summary(data[self.summary:end - 29])

    def define(self, opcode, content):
        """A schema or a channel; what is told again is the same."""
        cursor = Cursor(content)
        key = cursor.integer(2)
        if opcode == SCHEMA:
            kind, value = self.schemas, (cursor.text(), cursor.text(), cursor.take(cursor.integer(4)))
            assert key > 0
        else:
            schema = cursor.integer(2)
            kind, value = self.channels, (schema, cursor.text(), cursor.text())
            assert schema in self.schemas and cursor.pairs(4, 4) == []
        assert cursor.done() and kind.setdefault(key, value) == value

    def read_data(self):
        """From the first record to the end of the data."""
        found = list(records(self.data[len(MAGIC):self.summary], len(MAGIC)))
        assert found[0][0] == HEADER and found[-1][0] == DATA_END
        assert int.from_bytes(found[-1][1], "little") == zlib.crc32(self.data[:found[-1][2]]), "the data's check sum"
        header = Cursor(found[0][1])
        self.profile, self.library = header.text(), header.text()
        chunk = None
        for opcode, content, place in found[1:-1]:
            if opcode == CHUNK:
                chunk = self.read_chunk(content, place)
            else:
                assert opcode == MESSAGE_INDEX, opcode
                self.read_index(chunk, content, place)
        for chunk in self.chunks.values():
            assert sum(n for _, n in chunk["indexes"].values()) == len(chunk["messages"])

    def read_chunk(self, content, place):
        """Schemas, channels and messages, which are not compressed."""
        cursor = Cursor(content)
        first, last, size, crc = (cursor.integer(n) for n in (8, 8, 8, 4))
        assert cursor.text() == ""
        inner = cursor.take(cursor.integer(8))
        assert cursor.done() and len(inner) == size and zlib.crc32(inner) == crc, "a chunk's check sum"
        messages = []
        for opcode, record, at in records(inner):
            if opcode == MESSAGE:
                messages.append(Message(record, at))
                assert messages[-1].channel in self.channels
            else:
                self.define(opcode, record)
        times = [message.time for message in messages]
        assert (first, last) == ((min(times), max(times)) if times else (0, 0))
        self.messages += messages
        chunk = {"first": first, "last": last, "length": len(content) + 9, "size": size, "messages": messages,
                 "indexes": {}, "index_length": 0}
        self.chunks[place] = chunk
        return chunk

    def read_index(self, chunk, content, place):
        """Of one channel in the chunk before it: every message's time and place."""
        cursor = Cursor(content)
        channel = cursor.integer(2)
        own = [(message.time, message.place) for message in chunk["messages"] if message.channel == channel]
        assert cursor.pairs(8, 8) == own and cursor.done() and own
        chunk["indexes"][channel] = (place, len(own))
        chunk["index_length"] += len(content) + 9

    def read_summary(self, data):
        """Schemas and channels again, statistics, an index of every chunk, and where each group begins."""
        groups, chunks = {}, set()
        for opcode, content, place in records(data, self.summary):
            cursor = Cursor(content)
            if opcode == SUMMARY_OFFSET:
                assert (cursor.integer(1), cursor.integer(8), cursor.integer(8)) in [
                    (kind, begin, end - begin) for kind, (begin, end) in groups.items()]
                continue
            assert place < self.offsets
            groups[opcode] = (groups.get(opcode, (place,))[0], place + len(content) + 9)
            if opcode in (SCHEMA, CHANNEL):
                known = len(self.schemas), len(self.channels)
                self.define(opcode, content)
                assert known == (len(self.schemas), len(self.channels))
            elif opcode == STATISTICS:
                self.check_statistics(cursor)
            else:
                assert opcode == CHUNK_INDEX, opcode
                chunks.add(self.check_chunk_index(cursor))
        assert chunks == set(self.chunks) and STATISTICS in groups and self.offsets == max(e for _, e in groups.values())

    def check_statistics(self, cursor):
        """Counts, and the times between which all messages lie."""
        times = [message.time for message in self.messages]
        assert cursor.integer(8) == len(self.messages)
        assert [cursor.integer(n) for n in (2, 4, 4, 4, 4)] == [len(self.schemas), len(self.channels), 0, 0,
                                                               len(self.chunks)]
        assert (cursor.integer(8), cursor.integer(8)) == (min(times), max(times))
        counts = [(key, sum(message.channel == key for message in self.messages)) for key in self.channels]
        assert cursor.pairs(2, 8) == counts and cursor.done()

    def check_chunk_index(self, cursor):
        """What the summary says of a chunk; returns where it is."""
        first, last, place, length = (cursor.integer(8) for _ in range(4))
        chunk = self.chunks[place]
        assert (first, last, length) == (chunk["first"], chunk["last"], chunk["length"])
        assert dict(cursor.pairs(2, 8)) == {key: at for key, (at, _) in chunk["indexes"].items()}
        assert cursor.integer(8) == chunk["index_length"] and cursor.text() == ""
        assert (cursor.integer(8), cursor.integer(8)) == (chunk["size"], chunk["size"]) and cursor.done()
        return place


# --- Protocol Buffers ---

DOUBLE, INT64, INT32, FIXED32, BOOL, STRING, MESSAGE_TYPE = 1, 3, 5, 7, 8, 9, 11


def varint(data, at):
    """A number of seven bits a byte, and the place behind it."""
    value = shift = 0
    while True:
        byte = data[at]
        value |= (byte & 0x7f) << shift
        at, shift = at + 1, shift + 7
        if byte < 0x80:
            return value, at


def fields(data):
    """(number, wire type, value) of each field of a message."""
    at = 0
    while at < len(data):
        key, at = varint(data, at)
        wire = key & 7
        if wire == 0:
            value, at = varint(data, at)
        else:
            length, at = varint(data, at) if wire == 2 else ({1: 8, 5: 4}[wire], at)
            value = data[at:at + length]
            assert len(value) == length
            at += length
        yield key >> 3, wire, value


def all_of(data, number):
    """Values of one field of a message of descriptors."""
    return [value for found, _, value in fields(data) if found == number]


def read_descriptor(data):
    """{full name of a message: {number: (name, type, its type's name, repeated)}} of a FileDescriptorSet."""
    types, files = {}, []
    for file in all_of(data, 1):
        assert all(name in files for name in all_of(file, 3)), "a file stands before those it imports"
        files.append(all_of(file, 1)[0])
        for message in all_of(file, 4):
            own = {}
            for field in all_of(message, 2):
                of_type = (all_of(field, 6) or [b""])[0].decode().lstrip(".")
                own[all_of(field, 3)[0]] = (all_of(field, 1)[0].decode(), all_of(field, 5)[0], of_type,
                                            all_of(field, 4)[0] == 3)
            types[(all_of(file, 2)[0] + b"." + all_of(message, 1)[0]).decode()] = own
    for own in types.values():
        assert all(kind != MESSAGE_TYPE or of_type in types for _, kind, of_type, _ in own.values())
    return types


def decode(types, name, data):
    """A message as a dictionary; fields that were not written are not in it, but lists are."""
    out = {field: [] for field, _, _, repeated in types[name].values() if repeated}
    for number, wire, value in fields(data):
        field, kind, of_type, repeated = types[name][number]
        if kind == MESSAGE_TYPE:
            values = [decode(types, of_type, value)]
        elif kind == DOUBLE and wire == 2:
            values = list(struct.unpack("<%dd" % (len(value) // 8), value))
        elif kind == FIXED32 and wire == 2:
            values = list(struct.unpack("<%dI" % (len(value) // 4), value))
        else:
            assert wire == {DOUBLE: 1, STRING: 2}.get(kind, 0), (field, wire)
            values = [struct.unpack("<d", value)[0] if kind == DOUBLE else value.decode() if kind == STRING else
                      bool(value) if kind == BOOL else value]
        if repeated:
            out[field] += values
        else:
            out[field] = values[0]
    return out
