"""Reads MCAP and the wire format of Protocol Buffers as their specifications say, with nothing of Abut: mcap.dev/spec,
protobuf.dev/programming-guides/encoding. Every length, offset, count and check sum is held against what it is of."""
import struct
import zlib

MAGIC = b"\x89MCAP0\r\n"


class Cursor:
    """Bytes that are taken from the front."""

    def __init__(self, data):
        self.data = data
        self.at = 0

    def take(self, n):
        assert self.at + n <= len(self.data), "ends within a field"
        self.at += n
        return self.data[self.at - n:self.at]

    def number(self, code):
        return struct.unpack("<" + code, self.take(struct.calcsize("<" + code)))[0]

    def text(self):
        return self.take(self.number("I")).decode()

    def pairs(self, code):
        inner = Cursor(self.take(self.number("I")))
        out = []
        while inner.at < len(inner.data):
            out.append(tuple(inner.number(c) for c in code))
        return out

    def done(self):
        assert self.at == len(self.data), "%d bytes too many" % (len(self.data) - self.at)


def records(data, base=0):
    """(offset in the file, opcode, content) of each record."""
    cursor = Cursor(data)
    while cursor.at < len(data):
        start = cursor.at
        opcode = cursor.number("B")
        yield base + start, opcode, cursor.take(cursor.number("Q"))


def schema_or_channel(opcode, content):
    cursor = Cursor(content)
    if opcode == 3:
        out = ("schema", cursor.number("H"), cursor.text(), cursor.text(), cursor.take(cursor.number("I")))
    else:
        out = ("channel", cursor.number("H"), cursor.number("H"), cursor.text(), cursor.text(), cursor.pairs(""))
    cursor.done()
    return out


def read_chunk(content, messages, kinds):
    """Fills messages (channel, sequence, time, data) and kinds; returns times and places of messages by channel."""
    cursor = Cursor(content)
    first, last, size, crc = (cursor.number(c) for c in "QQQI")
    assert cursor.text() == "", "compressed"
    data = cursor.take(cursor.number("Q"))
    cursor.done()
    assert len(data) == size and zlib.crc32(data) == crc
    places = {}
    times = []
    for offset, opcode, record in records(data):
        if opcode == 5:
            message = Cursor(record)
            channel, sequence, log, publish = (message.number(c) for c in "HIQQ")
            assert log == publish and ("channel", channel) in kinds
            messages.append((channel, sequence, log, message.take(len(record) - message.at)))
            places.setdefault(channel, []).append((log, offset))
            times.append(log)
        else:
            kind = schema_or_channel(opcode, record)
            kinds[kind[:2]] = kind
    assert (first, last) == ((min(times), max(times)) if times else (0, 0))
    return places, (first, last, size)


def read(data):
    """(messages, kinds) of a file; kinds by ("schema", id) and ("channel", id)."""
    assert data[:8] == MAGIC and data[-8:] == MAGIC
    footer = Cursor(data[-8 - 29:-8])
    assert footer.number("B") == 2 and footer.number("Q") == 20
    start, offsets_start, crc = (footer.number(c) for c in "QQI")
    assert zlib.crc32(data[start:-12]) == crc, "CRC of the summary"
    messages, kinds, chunks, indexes, names = [], {}, [], {}, []
    for offset, opcode, content in records(data[8:start], 8):
        names.append(opcode)
        if opcode == 6:
            chunks.append((offset, 9 + len(content)) + read_chunk(content, messages, kinds))
        elif opcode == 7:
            cursor = Cursor(content)
            channel, found = cursor.number("H"), cursor.pairs("QQ")
            cursor.done()
            assert chunks[-1][2][channel] == found, "index of messages"
            indexes.setdefault(len(chunks) - 1, {})[channel] = offset
        elif opcode == 15:
            assert zlib.crc32(data[:offset]) == struct.unpack("<I", content)[0], "CRC of the data"
    assert names[0] == 1 and names[-1] == 15
    check_summary(data, start, offsets_start, messages, kinds, chunks, indexes)
    return messages, kinds


def check_summary(data, start, offsets_start, messages, kinds, chunks, indexes):
    groups, n_chunks, repeated = {}, 0, {}
    for offset, opcode, content in records(data[start:offsets_start], start):
        first, length = groups.get(opcode, (offset, 0))
        groups[opcode] = (first, length + 9 + len(content))
        cursor = Cursor(content)
        if opcode in (3, 4):
            kind = schema_or_channel(opcode, content)
            repeated[kind[:2]] = kind
        elif opcode == 8:
            chunk = chunks[n_chunks]
            assert tuple(cursor.number("Q") for _ in range(4)) == chunk[3][:2] + chunk[:2]
            assert dict(cursor.pairs("HQ")) == indexes[n_chunks]
            cursor.number("Q")
            assert cursor.text() == "" and (cursor.number("Q"), cursor.number("Q")) == (chunk[3][2],) * 2
            cursor.done()
            n_chunks += 1
        elif opcode == 11:
            assert [cursor.number(c) for c in "QHIIII"] == [len(messages), sum(k[0] == "schema" for k in kinds),
                                                            sum(k[0] == "channel" for k in kinds), 0, 0, len(chunks)]
            times = [m[2] for m in messages]
            assert (cursor.number("Q"), cursor.number("Q")) == (min(times), max(times))
            counts = dict(cursor.pairs("HQ"))
            assert all(counts[c] == sum(m[0] == c for m in messages) for c in counts)
    assert repeated == kinds and n_chunks == len(chunks)
    found = {}
    for _, opcode, content in records(data[offsets_start:-37]):
        assert opcode == 14
        group, first, length = struct.unpack("<BQQ", content)
        found[group] = (first, length)
    assert found == groups


# --- Protocol Buffers ---

def varint(cursor):
    value = shift = 0
    while True:
        byte = cursor.number("B")
        value |= (byte & 0x7f) << shift
        shift += 7
        if byte < 0x80:
            return value


def fields(data):
    """(number, wire type, value) of each field."""
    cursor = Cursor(data)
    while cursor.at < len(data):
        key = varint(cursor)
        wire = key & 7
        if wire == 0:
            yield key >> 3, wire, varint(cursor)
        elif wire == 1:
            yield key >> 3, wire, cursor.take(8)
        elif wire == 5:
            yield key >> 3, wire, cursor.take(4)
        else:
            assert wire == 2, "wire type %d" % wire
            yield key >> 3, wire, cursor.take(varint(cursor))


def only(data, number, default=None):
    values = [v for n, _, v in fields(data) if n == number]
    return values[-1] if values else default


def describe(data):
    """Messages of a FileDescriptorSet: name -> {number: (name, type, type name, repeated)}."""
    out, files = {}, []
    for _, _, file in fields(data):
        package = only(file, 2).decode()
        assert all(v.decode() in files for n, _, v in fields(file) if n == 3), "imports a file that is not there"
        assert only(file, 12) == b"proto3"
        files.append(only(file, 1).decode())
        for number, _, message in fields(file):
            if number == 4:
                out["." + package + "." + only(message, 1).decode()] = {
                    only(f, 3): (only(f, 1).decode(), only(f, 5), only(f, 6, b"").decode(), only(f, 4) == 3)
                    for n, _, f in fields(message) if n == 2}
    for message in out.values():
        assert all(f[2] in out for f in message.values() if f[1] == 11), "a type that is not described"
    return out


def decode(types, name, data):
    """A message as a dictionary by its description."""
    out = {f[0]: [] for f in types[name].values() if f[3]}
    for number, wire, value in fields(data):
        field, kind, inner, repeated = types[name][number]
        assert wire == {1: 1, 3: 0, 5: 0, 7: 2, 8: 0, 9: 2, 11: 2}[kind], field
        if kind == 1:
            value = struct.unpack("<d", value)[0]
        elif kind == 7:
            out[field].extend(struct.unpack("<%dI" % (len(value) // 4), value))
            continue
        elif kind == 9:
            value = value.decode()
        elif kind == 11:
            value = decode(types, inner, value)
        if repeated:
            out[field].append(value)
        else:
            out[field] = value
    return out
