"""After `pip install`, the referee can play: the wheel has SDKs, sample bots and maps, all inside its package."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

pytestmark = pytest.mark.machine

ROOT = Path(__file__).parents[1]


def test_the_wheel_plays_without_the_checkout(tmp_path):
    built = subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(tmp_path / "dist")],
        cwd=ROOT, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert built.returncode == 0, built.stderr
    (wheel,) = (tmp_path / "dist").glob("*.whl")
    site = tmp_path / "site"
    with zipfile.ZipFile(wheel) as archive:
        tops = {name.split("/")[0] for name in archive.namelist()}
        archive.extractall(site)
    assert tops == {"referee", *(top for top in tops if top.endswith(".dist-info"))}
    carried = site / "referee" / "_carried"
    assert (carried / "sdk" / "python" / "snake.py").is_file()
    assert not list(carried.rglob("__pycache__"))
    for name in ("viper/README.md", "viper/README.ru.md", "egghunt/README.fr.md"):
        assert (site / "referee" / "games" / name).is_file()
    # First on the path: otherwise Python finds the package of the checkout.
    environ = {**os.environ, "PYTHONPATH": str(site), "XDG_DATA_HOME": str(tmp_path / "data")}
    pages = [path for suffix in ("js", "css", "html", "toml") for path in ROOT.glob(f"referee/**/*.{suffix}")]
    assert len(pages) > 20
    assert [path.name for path in pages if not (site / path.relative_to(ROOT)).is_file()] == []
    where = subprocess.run(
        [sys.executable, "-c", "import referee; print(referee.__file__)"],
        cwd=tmp_path, env=environ, capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert Path(where.stdout.strip()).is_relative_to(site)
    ran = subprocess.run(
        [sys.executable, "-m", "referee", "play", "--rounds", "2", "--json"],
        cwd=tmp_path, env=environ, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert ran.returncode == 0, ran.stderr
    assert [player["disqualified"] for player in json.loads(ran.stdout)["players"]] == [None] * 4
