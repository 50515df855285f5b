"""What a page in the browser shows, as values."""

from collections.abc import Callable
from typing import Any

from export.chromium import Chromium

Address = Callable[[str], str]
WritePage = Callable[..., str]


STATE = """(() => {
  const text = (id) => document.getElementById(id)?.textContent ?? null;
  const { ready, step, steps, playing } = document.documentElement.dataset;
  const rows = [...document.querySelectorAll('#seats tbody tr')];
  return {
    ready, step: Number(step), steps: Number(steps), playing, board: text('board-text'),
    title: $('seek').getAttribute('aria-valuetext'), seek: $('seek').value,
    heads: [...document.querySelectorAll('#seats thead [data-col]')].map((cell) => cell.dataset.col),
    rows: rows.map((row) => [...row.querySelectorAll('[data-col]')].map((cell) => cell.textContent)),
    seats: rows.map((row) => row.dataset.seat),
    followed: rows.filter((row) => row.ariaCurrent === 'true').map((row) => row.dataset.seat),
    events: [...document.querySelectorAll('#events li')]
      .map((one) => [Number(one.dataset.step), one.dataset.kind, one.textContent]),
    request: text('request'), answer: text('answer'), log: text('log'), speed: text('speed'), scroll: scrollY,
  };
})()"""


def seen(chromium: Chromium) -> dict[str, Any]:
    """What the page shows."""
    state: dict[str, Any] = chromium.run(STATE)
    return state


def to(chromium: Chromium, step: int) -> dict[str, Any]:
    """What the page shows at a step."""
    chromium.run(f"location.hash = 'step={step}'")
    chromium.until(f"document.documentElement.dataset.step === '{step}'")
    return seen(chromium)


BOXES = """[...document.querySelectorAll('#board, #seats, #chart, #seek, #play')].map((one) => {
  const box = one.getBoundingClientRect();
  return [one.id, box.left, box.top, box.right, box.bottom];
})"""


def pointed(chromium: Chromium, key: str, across: float, down: float = 0.5) -> str | None:
    """What stands beside the pointer on a part of the page, None if nothing does."""
    box = f"$('{key}').getBoundingClientRect()"
    left, top, width, height = chromium.run(f"(({{ left, top, width, height }}) => [left, top, width, height])({box})")
    chromium.point(left + across * width, top + down * height)
    text: str | None = chromium.run("tip.hidden ? null : tip.innerText")
    return text
