"""The cache: entries are complete, leftovers are removed, used entries stay."""

import errno
import hashlib
import json
import os
from pathlib import Path

import pytest

from referee.bots import cache as room
from referee.bots.cache import IN_USE, LOG, PRODUCT, Cache, CachedProduct, listing
from referee.errors import UsageError
from referee.sandbox.tempdir import hold, remove

pytestmark = pytest.mark.machine

KEY, OTHER = "a" * 32, "b" * 32
NOW = 2_000_000_000.0


@pytest.fixture
def cache(tmp_path: Path) -> Cache:
    return Cache(tmp_path / "builds")


def put(cache: Cache, key: str = KEY, text: str = "x", age: float = 0.0) -> CachedProduct:
    """Puts a product into the cache that was last used `age` seconds before `NOW`."""
    with cache.fresh(key) as folder:
        (folder / PRODUCT / "lib").mkdir(parents=True)
        (folder / PRODUCT / "bot").write_text(text)
        (folder / PRODUCT / "lib" / "a").write_text("")
        (folder / LOG).write_text("log")
        (folder / PRODUCT / "lib").chmod(0o555)
        product = cache.keep(key, folder)
    os.utime(cache.folder / f"{key}.json", (NOW - age, NOW - age))
    os.utime(product.folder.parent, (NOW - age, NOW - age))
    return product


def there(cache: Cache) -> set[str]:
    return {path.name for path in cache.folder.iterdir()}


def test_a_product_in_the_cache_is_found(cache):
    product = put(cache)
    assert cache.find(KEY) == product
    assert (product.folder / "bot").read_text() == "x"
    assert product.log.read_text() == "log"
    assert cache.find(OTHER) is None
    assert Cache(cache.folder).find(KEY) == product


def test_only_the_owner_can_enter_the_cache(cache):
    assert cache.folder.stat().st_mode & 0o777 == 0o700
    assert put(cache).folder.parent.stat().st_mode & 0o777 == 0o700


def test_a_product_is_not_found_before_it_is_kept(cache):
    with cache.fresh(KEY) as folder:
        (folder / PRODUCT).mkdir()
        assert cache.find(KEY) is None
    assert there(cache) == set()


def test_an_unfinished_product_is_removed_after_an_error(cache):
    def fails() -> None:
        with cache.fresh(KEY) as folder:
            (folder / PRODUCT).mkdir()
            (folder / PRODUCT / "bot").write_text("x")
            (folder / PRODUCT).chmod(0o555)
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        fails()
    assert there(cache) == set()


@pytest.mark.parametrize("number", [errno.ENOSPC, errno.EDQUOT])
def test_the_error_of_a_full_disk_names_the_folder(cache, number):
    def fill() -> None:
        with cache.fresh(KEY) as folder:
            (folder / PRODUCT).mkdir()
            raise OSError(number, os.strerror(number))

    message = rf"cannot be kept in {cache.folder} \({os.strerror(number)}\): free space there, or set XDG_CACHE_HOME"
    with pytest.raises(UsageError, match=message):
        fill()
    assert there(cache) == set()


def test_another_error_is_raised_unchanged(cache):
    with pytest.raises(OSError, match="Too many open files") as caught, cache.fresh(KEY):
        raise OSError(errno.EMFILE, os.strerror(errno.EMFILE))
    assert caught.value.errno == errno.EMFILE


def test_of_two_products_with_one_key_the_later_is_found(cache):
    with cache.fresh(KEY) as one, cache.fresh(KEY) as other:
        for folder in (one, other):
            (folder / PRODUCT).mkdir()
            (folder / PRODUCT / "bot").write_text(folder.name)
        cache.keep(KEY, one)
        last = cache.keep(KEY, other)
    assert cache.find(KEY) == last
    assert (last.folder / "bot").read_text() == other.name


@pytest.mark.parametrize(
    "change",
    [
        lambda folder: (folder / "bot").write_text(""),
        lambda folder: (folder / "bot").write_text("y"),
        lambda folder: (folder / "bot").chmod(0o755),
        lambda folder: (folder / "bot").unlink(),
        lambda folder: (folder / "more").write_text(""),
        remove,
    ],
    ids=["emptied", "other content of the same size", "may be executed", "gone", "more", "all gone"],
)
def test_a_changed_product_is_not_found(cache, change):
    change(put(cache).folder)
    assert cache.find(KEY) is None


@pytest.mark.parametrize(
    "text",
    [
        "{",
        "[]",
        "[" * 100_000,
        '{"place": "../elsewhere", "files": []}',
        '{"place": 7, "files": []}',
        '{"place": "aa-bb", "files": [["bot", 1, true]]}',
        '{"place": "aa-bb", "files": {}}',
        "\udcff",
    ],
)
def test_an_entry_in_another_format_is_ignored(cache, text):
    put(cache)
    (cache.folder / f"{KEY}.json").write_bytes(text.encode(errors="surrogateescape"))
    assert cache.find(KEY) is None
    cache.tidy(NOW)
    assert put(cache).folder.is_dir()


def test_an_entry_that_is_a_link_is_ignored(cache, tmp_path):
    product = put(cache)
    (cache.folder / f"{KEY}.json").rename(tmp_path / "told.json")
    (cache.folder / f"{KEY}.json").symlink_to(tmp_path / "told.json")
    assert json.loads((tmp_path / "told.json").read_text())["place"] == product.folder.parent.name
    assert cache.find(KEY) is None


def test_a_product_that_is_found_counts_as_used(cache):
    put(cache, age=NOW)
    assert cache.find(KEY) is not None
    assert (cache.folder / f"{KEY}.json").stat().st_mtime > IN_USE


@pytest.mark.parametrize(("limit", "most"), [("KEPT", 2), ("BYTES", 25)])
def test_only_the_newest_are_kept_and_their_total_size_is_limited(cache, monkeypatch, limit, most):
    monkeypatch.setattr(room, limit, most)
    keys = [letter * 32 for letter in "abcd"]
    for number, key in enumerate(keys):
        put(cache, key, text="x" * 10, age=IN_USE + 1 + number)
    cache.tidy(NOW)
    assert [key for key in keys if cache.find(key)] == keys[:2]
    assert len(there(cache)) == 4


def test_a_product_that_may_be_in_use_stays(cache, monkeypatch):
    monkeypatch.setattr(room, "KEPT", 0)
    put(cache, age=IN_USE - 1)
    put(cache, OTHER, age=IN_USE + 1)
    cache.tidy(NOW)
    assert cache.find(KEY) is not None
    assert cache.find(OTHER) is None


def test_a_replaced_product_is_removed_when_it_is_no_longer_in_use(cache):
    old = put(cache, age=IN_USE - 1)
    new = put(cache)
    cache.tidy(NOW)
    assert old.folder.is_dir()
    cache.tidy(NOW + 2)
    assert not old.folder.exists()
    assert cache.find(KEY) == new


def test_leftovers_of_a_killed_referee_are_removed_and_folders_in_use_stay(cache):
    for name in (f"{KEY}-0123", f"{OTHER}-4567"):
        (cache.folder / name / PRODUCT).mkdir(parents=True)
        os.utime(cache.folder / name, (NOW - IN_USE - 1, NOW - IN_USE - 1))
    (cache.folder / f".{KEY}.json.89ab").write_text("half")
    os.utime(cache.folder / f".{KEY}.json.89ab", (NOW - IN_USE - 1, NOW - IN_USE - 1))
    lock = hold(cache.folder / f"{OTHER}-4567")
    try:
        cache.tidy(NOW)
        assert there(cache) == {f"{OTHER}-4567"}
    finally:
        os.close(lock)
    cache.tidy(NOW)
    assert there(cache) == set()


def test_logs_of_failures_are_kept_for_a_while(cache, monkeypatch):
    monkeypatch.setattr(room, "KEPT", 2)
    for number, letter in enumerate("abcd"):
        path = cache.keep_failure(letter * 32, "no")
        os.utime(path, (NOW - number,) * 2)
    cache.tidy(NOW)
    assert there(cache) == {f"{'a' * 32}.log", f"{'b' * 32}.log"}


def test_a_log_that_cannot_be_kept_raises_no_error(cache):
    (cache.folder / f"{KEY}.log").mkdir()
    assert cache.keep_failure(KEY, "no") is None
    assert there(cache) == {f"{KEY}.log"}


def test_a_listing_has_names_sizes_modes_and_digests(tmp_path):
    (tmp_path / "b").mkdir()
    (tmp_path / "b" / "c").write_text("123")
    (tmp_path / "a").write_text("")
    (tmp_path / "a").chmod(0o555)
    (tmp_path / "d").symlink_to("a")
    os.mkfifo(tmp_path / "e")
    one, other = hashlib.sha256(b"").hexdigest(), hashlib.sha256(b"123").hexdigest()
    link, fifo = ["d", 1, True, ""], ["e", 0, False, ""]
    assert listing(tmp_path) == [["a", 0, True, one], link, fifo, ["b/c", 3, False, other]]
    assert listing(tmp_path / "none") == []
