"""ELF files made by hand: the least that has a loader and a dynamic section."""

import struct


def made(
    *,
    needed: tuple[str, ...] = (),
    rpath: str | None = None,
    runpath: str | None = None,
    loader: str | None = None,
    bits: int = 64,
    order: str = "<",
    machine: int = 62,
    base: int = 0x400000,
    dynamic: bool = True,
) -> bytes:
    """One file: header, segments (all that is loaded, the dynamic section, the loader), dynamic section, names."""
    wide = bits == 64
    names = b"\0"

    def name(text: str) -> int:
        nonlocal names
        names += text.encode() + b"\0"
        return len(names) - len(text.encode()) - 1

    entries = [(1, name(text)) for text in needed]
    entries += [(15, name(rpath))] if rpath is not None else []
    entries += [(29, name(runpath))] if runpath is not None else []
    where = name(loader) if loader is not None else 0
    header_size, segment_size, entry = (64, 56, "QQ") if wide else (52, 32, "II")
    count = 1 + dynamic + (loader is not None)
    table_end = header_size + segment_size * count
    dynamic_size = struct.calcsize(order + entry) * (len(entries) + 4)
    names_at = table_end + dynamic_size
    size = names_at + len(names)
    entries += [(5, base + names_at), (10, len(names)), (0, 0), (1, 0)]  # nothing counts behind the zeros
    section = b"".join(struct.pack(order + entry, *pair) for pair in entries)

    def segment(kind: int, offset: int, length: int) -> bytes:
        if wide:
            return struct.pack(order + "IIQQQQQQ", kind, 4, offset, base + offset, 0, length, length, 8)
        return struct.pack(order + "IIIIIIII", kind, offset, base + offset, 0, length, length, 4, 8)

    segments = segment(1, 0, size)
    segments += segment(2, table_end, dynamic_size) if dynamic else b""
    segments += segment(3, names_at + where, len(loader.encode()) + 1) if loader is not None else b""
    ident = b"\x7fELF" + bytes([2 if wide else 1, 1 if order == "<" else 2, 1]) + bytes(9)
    form = order + ("HHIQQQIHHHHHH" if wide else "HHIIIIIHHHHHH")
    header = ident + struct.pack(form, 3, machine, 1, 0, header_size, 0, 0, header_size, segment_size, count, 0, 0, 0)
    return header + segments + section + names
