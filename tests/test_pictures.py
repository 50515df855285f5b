"""`scripts/pictures`: the pictures of the README are those that it makes."""

from __future__ import annotations

import re

import pictures
import pytest

MADE = pictures.pictures()


@pytest.mark.parametrize("name", MADE)
def test_a_picture_is_up_to_date(name):
    committed = (pictures.FOLDER / name).read_text(encoding="utf-8")
    assert committed == MADE[name], "run scripts/pictures"


@pytest.mark.parametrize("name", MADE)
def test_a_picture_loads_nothing(name):
    text = MADE[name].replace('xmlns="http://www.w3.org/2000/svg"', "")
    assert not re.search(r"http|href|@import|@font-face|<script", text)
    assert set(re.findall(r"url\((.)", text)) <= {"#"}


def test_every_picture_is_in_the_readme():
    readme = (pictures.ROOT / "README.md").read_text(encoding="utf-8")
    assert {path.name for path in pictures.FOLDER.iterdir()} == set(MADE)
    assert all(f"(referee/docs/pictures/{name})" in readme for name in MADE)
