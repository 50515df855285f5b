"""What is said about a build that failed: only what its output tells to be missing, and what to do about that."""

from __future__ import annotations

import shutil

import pytest
from languages.present import needs

from referee import bots, languages
from referee.building import BuildFailed
from referee.building.hints import left_out


@pytest.mark.parametrize(
    ("language", "line", "beside", "found"),
    [
        ("c", 'a.c:1:10: fatal error: board.h: No such file or directory', "board.h", "board.h"),
        ("c", "a.c:1:10: fatal error: 'board.h' file not found", "board.h", "board.h"),
        ("cpp", "main.cpp: In function 'int main()':", "main.cpp", None),
        ("cpp", "a.cpp:3:5: error: 'board.h' is not what you think", "board.h", None),
        ("cpp", "a.cpp:1:10: fatal error: keyboard.h: No such file or directory", "board.h", None),
        ("cpp", "a.cpp:1:10: fatal error: board.hpp: No such file or directory", "board.h", None),
        ("pascal", "a.pas(1,17) Fatal: Can't find unit Board used by a", "board.pas", "board.pas"),
        ("pascal", "a.pas(1,17) Fatal: Can't find unit Board used by a", "a.pas", None),
        ("pascal", 'a.pas(1,17) Error: Identifier not found "board"', "board.pas", None),
        ("java", "A.java:1: error: cannot find symbol\n  symbol:   class Board\n  location: class A", "Board.java", "Board.java"),
        ("java", "A.java:1: error: cannot find symbol\n  symbol:   variable Board\n", "Board.java", "Board.java"),
        ("java", "A.java:1: error: cannot find symbol\n  symbol:   variable board\n", "Board.java", None),
        ("java", "A.java:1: error: cannot find symbol\n  symbol:   class X\n  location: class Board", "Board.java", None),
        ("java", "A.java:1: error: package Board does not exist", "Board.java", "Board.java"),
        ("rust", "error[E0583]: file not found for module `board`", "board.rs", "board.rs"),
        ("rust", "error[E0432]: unresolved import `crate::board`", "board.rs", "board.rs"),
        ("rust", "error[E0433]: unresolved module or unlinked crate `board`", "board.rs", "board.rs"),
        ("rust", "error[E0425]: cannot find value `board` in this scope", "board.rs", None),
        (None, "Error: Cannot find module './board.js'", "board.js", "board.js"),
    ],
)  # fmt: skip
def test_which_file_is_missed(language, line, beside, found):
    assert left_out([beside], languages.find(language) if language else None, f"first\n{line}\nlast") == found


@needs("cpp")
async def test_an_ordinary_error_says_nothing_of_what_lies_beside(tmp_path, ready):
    (tmp_path / "viper.cpp").write_text("int main() { return nothing; }")
    (tmp_path / "main.cpp").write_text("")
    (tmp_path / "nothing").write_text("")
    with pytest.raises(BuildFailed) as failed:
        await ready([bots.find(str(tmp_path / "viper.cpp"))])
    assert "is beside it" not in str(failed.value)


@needs("c")
async def test_a_folder_beside_is_not_meant(tmp_path, ready):
    (tmp_path / "viper.c").write_text('#include "board.h"\n')
    (tmp_path / "board.h").mkdir()
    with pytest.raises(BuildFailed) as failed:
        await ready([bots.find(str(tmp_path / "viper.c"))])
    assert "is beside it" not in str(failed.value)


DEEP = {
    "c": ("int help(void); int main(void) { return help(); }", "int help(void) { return 0; }"),
    "cpp": ("int help(); int main() { return help(); }", "int help() { return 0; }"),
    "pascal": ("program viper; uses helper; begin end.", "unit helper; interface implementation end."),
    "go": ("package main\nfunc main() { help() }\n", "package main\nfunc help() {}\n"),
}


@pytest.mark.parametrize("name", [pytest.param(name, marks=needs(name)) for name in DEEP])
async def test_a_source_below_the_top_is_told(tmp_path, ready, name):
    suffix = languages.find(name).suffixes[0]
    top, deep = DEEP[name]
    (tmp_path / "src").mkdir()
    (tmp_path / "bot.toml").write_text(f'name = "Viper"\nlanguage = "{name}"\n')
    (tmp_path / f"main{suffix}").write_text(top)
    (tmp_path / "src" / f"helper{suffix}").write_text(deep)
    said = f"; src/helper{suffix} lies below the top of the folder and is not compiled: move it up, or write `build`"
    with pytest.raises(BuildFailed) as failed:
        await ready([bots.find(str(tmp_path))])
    assert str(failed.value).endswith(said)
    (tmp_path / f"main{suffix}").write_text("}")
    with pytest.raises(BuildFailed) as failed:
        await ready([bots.find(str(tmp_path))])
    assert "lies below" not in str(failed.value), "another error has nothing to do with it"


@needs("c")
async def test_a_build_of_the_manifests_own_is_its_authors_matter(tmp_path, ready):
    (tmp_path / "src").mkdir()
    (tmp_path / "bot.toml").write_text('name = "Viper"\nlanguage = "c"\nbuild = [["gcc", "-obot", "main.c"]]\n')
    (tmp_path / "main.c").write_text(DEEP["c"][0])
    (tmp_path / "src" / "helper.c").write_text(DEEP["c"][1])
    with pytest.raises(BuildFailed) as failed:
        await ready([bots.find(str(tmp_path))])
    assert "lies below" not in str(failed.value)


@needs("java")
async def test_a_package_line_is_told(tmp_path, ready):
    shutil.copy(bots.find("settler").cwd / "bot.toml", tmp_path)
    (tmp_path / "Viper.java").write_text("package my.bot;\nclass Viper extends JBot { }\n")
    for given in (tmp_path / "Viper.java", tmp_path):
        with pytest.raises(BuildFailed, match=r"; the SDK has no package: take out the `package` line$"):
            await ready([bots.find(str(given))])
