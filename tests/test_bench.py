"""`scripts/bench`: its pure parts, its report and its command line. The figures are not tested."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest
from benchmarks import document, figures, machine, options, report
from benchmarks.__main__ import tell
from benchmarks.subjects import ALL, sdk

from referee import languages
from referee.kits import starter

ROOT = Path(__file__).parents[1]

NAMES = [subject.name for subject in ALL]


def test_a_spread_is_the_median_the_quartiles_and_the_extremes():
    assert figures.spread([4.0, 1.0, 2.0, 3.0, 100.0]) == figures.Spread(3.0, 2.0, 4.0, 1.0, 100.0, 5)
    assert figures.spread([7.0]) == figures.Spread(7.0, 7.0, 7.0, 7.0, 7.0, 1)
    with pytest.raises(ValueError, match="nothing was measured"):
        figures.spread([])


def test_ratios_are_computed_per_round():
    assert figures.ratios([2.0, 9.0], [1.0, 3.0]) == [2.0, 3.0]
    with pytest.raises(ValueError, match="shorter"):
        figures.ratios([1.0, 2.0], [1.0])
    assert figures.compared([2.0, 9.0, 4.0], [1.0, 3.0, 1.0]) == figures.spread([2.0, 3.0, 4.0])
    assert figures.compared([2.0, 9.0, 4.0], None) is None  # without a loop there is nothing to compare with


def test_measurements_are_interleaved_and_the_first_round_is_a_warm_up():
    taken: list[str] = []

    def measure(name: str) -> float:
        taken.append(name)
        return float(len(taken))

    found = figures.interleaved(2, {"a": lambda: measure("a"), "b": lambda: measure("b")})
    assert "".join(taken) == "ababab"
    assert found == {"a": [3.0, 5.0], "b": [4.0, 6.0]}
    assert figures.interleaved(1, {"a": lambda: measure("a")}, warm=False) == {"a": [7.0]}


def test_a_share_is_a_percentile():
    hundred = [float(k) for k in range(100, 0, -1)]
    assert (figures.share(hundred, 0.5), figures.share(hundred, 0.99), figures.share([5.0], 0.99)) == (51.0, 100.0, 5.0)
    with pytest.raises(ValueError, match="nothing was measured"):
        figures.share([], 0.5)


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0.0, "0"), (0.001234, "0.00123"), (0.9996, "1.00"), (1.0, "1.00"), (1.234, "1.23"), (9.996, "10.0"), (12.34, "12.3"),
        (99.96, "100"), (123.4, "123"), (1234.5, "1,234"), (-3.21, "-3.21"), (999.6, "1,000"),
    ],
)  # fmt: skip
def test_a_figure_has_three_digits(value, text):
    assert figures.shown(value) == text


def test_a_table_is_markdown_with_the_median_and_the_quartiles():
    table = report.Table(
        ("what", "µs", "÷"), [("a|b", figures.Spread(2.0, 1.5, 2.5, 1.0, 3.0, 9), None), ("c", 1234, 0.5)]
    )
    assert report.drawn(table).splitlines() == [
        "| what | µs | ÷ |",
        "| --- | --- | --- |",
        r"| a\|b | 2.00 (1.50–2.50) | – |",
        "| c | 1,234 | 0.500 |",
    ]
    assert report.text(figures.Spread(1.0, 1.0, 1.0, 0.5, 9.0, 9)) == "1.00"
    assert report.text(figures.spread([-2.0, 1.0, 4.0])) == "1.00 (-0.500 to 2.50)"
    with pytest.raises(ValueError, match="a row of 1 cells in a table of 2 columns"):
        report.Table(("a", "b"), [("c",)])


def test_a_chapter_has_an_introduction_tables_and_notes():
    told = report.markdown("Title", "About.", report.Findings([report.Table(("a",), [(1,)], "Ones")], ["A note."]))
    assert told == "### Title\n\nAbout.\n\nOnes:\n\n| a |\n| --- |\n| 1 |\n\n- A note."


def test_findings_as_json_have_the_complete_spread():
    found = report.Findings([report.Table(("a", "b"), [("x", figures.spread([1.0, 2.0, 3.0]))])], ["n"]).as_json()
    told = {"median": 2.0, "quartiles": [1.5, 2.5], "extremes": [1.0, 3.0], "count": 3}
    assert json.loads(json.dumps(found)) == {
        "tables": [{"title": "", "head": ["a", "b"], "rows": [["x", told]]}],
        "notes": ["n"],
    }


def test_subjects_are_measured_in_the_order_of_the_report(tmp_path):
    assert options.parsed([], NAMES) == options.Options(NAMES)
    found = options.parsed(["--quick", "--only", "rules", "pipe", "--json"], NAMES)
    assert (found.only, found.quick, found.json) == (["pipe", "rules"], True, True)
    assert options.parsed(["--markdown", f"{tmp_path}/FILE.md"], NAMES).markdown == tmp_path / "FILE.md"


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["--only", "pipes"], "there is no subject 'pipes'; there are: pipe, player"),
        (["--json", "--markdown", "x"], "not allowed with"),
        (["--markdown", "/nope/x.md"], "--markdown /nope/x.md: there is no folder /nope"),
        (["--markdown", "/"], "/ is not a file"),
    ],
)
def test_a_wrong_command_line_is_an_error(words, told, capsys):
    with pytest.raises(SystemExit) as left:
        options.parsed(words, NAMES)
    assert left.value.code == 2
    assert told in capsys.readouterr().err


def test_a_file_that_cannot_take_the_results_is_refused_before_measuring(tmp_path, capsys):
    file = tmp_path / "x.md"
    for content, told in ((f"{document.MARK}\n" * 2, "more than one line"), (b"\xff".decode("latin-1"), "decode")):
        file.write_text(content, encoding="latin-1")
        with pytest.raises(SystemExit) as left:
            options.parsed(["--markdown", str(file)], NAMES)
        assert left.value.code == 2
        assert told in capsys.readouterr().err
        assert file.read_text(encoding="latin-1") == content


def test_a_report_that_cannot_be_written_is_printed(tmp_path, capsys):
    assert tell("the report", tmp_path / "gone" / "x.md") is False
    out, err = capsys.readouterr()
    assert out == "the report\n"
    assert "was not written, so here is the report" in err


def test_results_are_written_to_the_target_of_a_link(tmp_path):
    file, link = tmp_path / "x.md", tmp_path / "link.md"
    file.write_text("# Head\n")
    file.chmod(0o640)
    link.symlink_to(file)
    assert tell("first", link) is True
    assert file.read_text() == f"# Head\n\n{document.MARK}\n\nfirst\n"
    assert link.is_symlink()
    assert file.stat().st_mode & 0o777 == 0o640
    assert sorted(tmp_path.iterdir()) == [link, file]


def test_results_that_cannot_be_written_leave_the_file_unchanged(tmp_path):
    file = tmp_path / "x.md"
    file.write_text("# Head\n")
    with pytest.raises(UnicodeEncodeError):
        document.put(file, "\ud800")
    assert file.read_text() == "# Head\n"
    assert list(tmp_path.iterdir()) == [file]


def test_the_report_has_the_command_that_reproduces_it(tmp_path):
    told = options.command(options.parsed(["--only", "pipe", "--quick"], NAMES), NAMES)
    assert told == "scripts/bench --quick --only pipe"
    found = options.parsed(["--markdown", f"{tmp_path}/B.md"], NAMES)
    assert options.command(found, NAMES) == "scripts/bench --markdown B.md"


def test_results_replace_earlier_results_and_keep_the_text_above():
    text = document.with_results("# Head\n\nWords.\n", "first")
    assert text == f"# Head\n\nWords.\n\n{document.MARK}\n\nfirst\n"
    assert document.with_results(text, "second") == text.replace("first", "second")
    assert document.with_results("", "all") == f"{document.MARK}\n\nall\n"
    with pytest.raises(ValueError, match="more than one"):
        document.with_results(document.MARK * 2, "x")


@pytest.mark.parametrize(
    ("arguments", "debug", "told"),
    [
        ("'--enable-optimizations' '--with-lto'", False, "configured with PGO, with LTO"),
        ("'--enable-shared'", False, "configured without PGO, without LTO"),
        ("'--with-pydebug'", True, "configured without PGO, without LTO, a debug build"),
    ],
)
def test_the_report_says_how_python_was_built(arguments, debug, told):
    assert machine.build_of(arguments, debug=debug) == told


def test_a_busy_machine_gives_a_warning():
    quiet = machine.Machine("x", 2, 2**30, "6.1", "3.11.2", "with PGO", "0.1", "2026-01-01", [0.1, 0.2, 0.3], 0.01)
    assert quiet.warning is None
    assert "1.0 GiB" in quiet.markdown()
    for load, busy in (([3.0, 0.0, 0.0], 0.0), ([0.0, 0.0, 0.0], 0.5)):
        noisy = machine.Machine("x", 2, 2**30, "6.1", "3.11.2", "with PGO", "0.1", "2026-01-01", load, busy)
        assert noisy.warning is not None
        assert noisy.warning in noisy.markdown()


def test_list_names_every_subject():
    done = subprocess.run(
        [sys.executable, ROOT / "scripts" / "bench.py", "--list"], capture_output=True, text=True, check=True
    )
    assert [line.split()[0] for line in done.stdout.splitlines()] == NAMES
    assert len(set(NAMES)) == len(NAMES)


def test_every_subject_has_a_file_and_a_line_in_the_document():
    files = {path.stem for path in (ROOT / "scripts" / "benchmarks" / "subjects").glob("*.py")} - {"__init__"}
    assert files == set(NAMES)
    text = (ROOT / "BENCHMARKS.md").read_text(encoding="utf-8")
    assert re.findall(r"^\| `(\w+)` \|", text, re.MULTILINE) == NAMES
    assert text.count(document.MARK) == 1


def test_every_language_with_an_sdk_or_a_kit_has_a_reader():
    readers = {path.name for path in sdk.READERS.iterdir()}
    assert readers == set(starter.languages_for(sdk.GAME)) & set(languages.names())
    without_sdk = {name for name in readers if languages.find(name).sdk is None}
    assert without_sdk == set(sdk.MAINS)
