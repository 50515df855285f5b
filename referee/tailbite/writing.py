"""Programs as text: the inverse of `parsing.parse`, in the words that a program was written with."""

from __future__ import annotations

from referee.tailbite.patterns import Program


def text(program: Program) -> str:
    """The text of a program, with LF, single spaces, and one empty line before each chart. `parse` reads the same from it."""

    def line(key: str, value: str) -> str:
        return f"{program.words.get(key, key)}: {value}".rstrip(" ")

    lines = [line("name", program.name)]
    if program.description:
        lines.append(line("description", program.description))
    lines += [line(f"set {letter}", " ".join(words)) for letter, words in program.sets.items()]
    for chart in program.charts:
        lines += ["", f"{chart.heading}: {chart.description}".rstrip(" "), *map(" ".join, chart.rows())]
    return "\n".join(lines) + "\n"
