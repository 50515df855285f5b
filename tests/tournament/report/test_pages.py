"""The first page and the pages of entrants."""

from dataclasses import asdict, replace

import pytest
from tournament.figures.played import duels, field, series
from tournament.report.reports import HOSTILE, SCRIPT, Node, fault, parsed, random_report, report_of

from referee.tournament.field import Change
from referee.tournament.model import Competitor
from referee.tournament.report.content import Report, page_of
from referee.tournament.report.entrant import entrant
from referee.tournament.report.figure_sections import ACROSS
from referee.tournament.report.index import index
from referee.tournament.report.results import results
from referee.tournament.report.shown import OWN
from referee.tournament.report.student import student, unbuilt
from referee.tournament.report.tables import table_csv, table_markdown


def pages(report: Report) -> dict[str, Node]:
    """All pages but those for students and of matches, by path."""
    overview = {"index.html": parsed(index(report)), "results.html": parsed(results(report, SCRIPT), scripts=1)}
    return overview | {f"entrants/{bot.number}.html": parsed(entrant(report, bot.number)) for bot in report.entrants}


def rows_of(page: Node, table: str) -> list[Node]:
    return page.one("table", id=table).one("tbody").all("tr")


def test_the_table_has_the_figures_of_the_ledger() -> None:
    report = random_report()
    shown = rows_of(parsed(index(report)), "table")
    assert [row.attributes["data-number"] for row in shown] == [str(row["number"]) for row in report.rows]
    for row, data in zip(shown, report.rows, strict=True):
        figures = row.figures()
        assert figures.pop("faults") == str(sum(data["faults"].values()))
        width = figures.pop("interval")
        assert width == ("" if data["rating_low"] is None else str((data["rating_high"] - data["rating_low"]) / 2))
        assert figures == {key: "" if data[key] is None else str(data[key]) for key in figures}
        assert {"rank", "percent", "rating", "matches", "points", "mean", "wins", "p50_ms", "p99_ms"} == set(figures)
        assert f"rating {data['rating']:z.0f}".replace("-", "−") in row.one("svg").one("title").text
        assert (", with 95 % from" in row.one("svg").one("title").text) is (data["rating_low"] is not None)
        assert row.one("td", data_col="faults").text == str(sum(data["faults"].values()) or "–")
        own = parsed(entrant(report, data["number"])).one("header").text
        assert ("±" in own) is (data["rating_low"] is not None)


def test_the_first_page_says_what_is_played_and_how_far_it_is() -> None:
    report = report_of(field(2), duels("A", "B", "0-1/arena/0"))
    report.status["matches"].update(scheduled=6, void=1)
    header = parsed(index(replace(report, table={**report.table, "over": False}))).one("header")
    facts, progress = header.all("p")
    assert facts.text == "SnakeCore · round-robin · 2 seats · arena · 60 rounds · seed 1"
    words = "The tournament is not over. Played: 2 of 6 known matches; 1 of them void. 1 series with 2 matches count."
    assert progress.text == words
    assert [header.one("progress").attributes[key] for key in ("value", "max")] == ["2", "6"]
    assert [link.text for link in header.one("nav").all("a")] == [
        "Standings", "Over time", "Each against each", "Seats", "Time used", "All results",
    ]  # fmt: skip
    assert header.one("nav").all("a")[-1].attributes["href"] == "results.html"
    unlimited = parsed(index(replace(report, rounds=None))).one("header").text
    assert "arena · seed 1" in unlimited
    assert "The tournament is over." in unlimited


def test_the_table_of_pairs_has_each_pair_from_both_sides() -> None:
    report = random_report()
    cells = [cell for row in rows_of(parsed(index(report)), "cross") for cell in row.all("td")]
    keys = ("data-a", "data-b", "data-score", "data-possible")
    shown = [[cell.attributes[key] for key in keys] for cell in cells if "data-a" in cell.attributes]
    expected = []
    for pair in report.table["cross"]:
        a, b, score, possible = pair["a"], pair["b"], pair["score"], pair["possible"]
        expected += [[a, b, score, possible], [b, a, possible - score, possible]]
    assert sorted(shown) == sorted([list(map(str, row)) for row in expected])


def test_a_cell_of_the_table_of_pairs_has_a_percent_a_tone_and_a_link() -> None:
    ended = [*duels("A", "B", "0-1/arena/0"), series("0-2/arena/0", "A1 C2", "C1 A2"), series("0-2/arena/1", "C1 A2")]
    first, second, _ = rows_of(parsed(index(report_of(field(3), ended))), "cross")
    tones = [cell.attributes.get("class") for cell in first.all("td")]
    assert tones == [None, "self", "level-6", None], "c never met b"
    assert [(cell.text, cell.attributes.get("class")) for cell in second.all("td")] == [
        ("2", None), ("33", "level-3"), ("", "self"), ("100", "level-9"),
    ]  # fmt: skip
    cell = second.all("td")[1]
    assert cell.attributes["title"] == "a: 1 of 3 against c"
    assert cell.one("a").attributes["href"] == "results.html#entrant=0&rival=2"


def test_the_bias_of_seats_is_by_map_and_seat() -> None:
    report = random_report()
    bias = {"map": "arena", "series": 12}
    first = {**bias, "seat": 0, "mean": 0.75, "low": 0.625, "high": 0.875}
    second = {**bias, "seat": 1, "mean": 0.25, "low": None, "high": None}
    page = parsed(index(replace(report, table={**report.table, "seat_bias": [first, second]})))
    rows = rows_of(page, "seat-bias")
    assert [[cell.text for cell in row.all("td")[:4]] for row in rows] == [
        ["1", "12", "75.0", "12.5"], ["2", "12", "25.0", "–"],
    ]  # fmt: skip
    assert rows[0].figures() == {"seat": "0", "series": "12", "mean": "0.75", "interval": "12.5"}
    assert [row.one("svg").one("title").text for row in rows] == ["arena, seat 1: 75.0 %", "arena, seat 2: 25.0 %"]
    assert [line.attributes["x2"] for line in rows[0].all("line")] == ["50.00%", "96.00%"], "50 % and the bar"
    assert [label.text for label in page.one("table", id="seat-bias").one("thead").all("text")] == ["12", "50", "88"]


@pytest.mark.parametrize(("limit", "words", "labels", "dots"), [
    (1.0, "1 s", ["0.1", "1", "10", "100", "1000"], ["4.00%", "73.00%"]),
    (0.02, "0.02 s", ["0.1", "1", "20"], ["4.00%"]),
])  # fmt: skip
def test_times_are_on_a_scale_of_powers_of_ten_up_to_the_limit(
    limit: float, words: str, labels: list[str], dots: list[str]
) -> None:
    report = report_of(field(2), [], limit=limit)
    rows = [{**report.rows[0], "p50_ms": 0.01, "p99_ms": 100}]
    page = parsed(index(replace(report, table={**report.table, "table": rows})))
    times = page.one("section", id="times")
    assert f"The limit is {words}." in times.text
    assert [label.text for label in times.one("thead").all("text")] == labels
    row = times.one("tbody").one("tr")
    assert [dot.attributes["cx"] for dot in row.all("circle")] == dots
    assert row.one("line", class_="mark").attributes["x1"] == "96.00%"


def test_the_percents_over_time_are_in_figures_too() -> None:
    ended = [*duels("A", "B", "0-1/arena/0"), series("0-1/arena/1", "A1 B2", "B1 A2")]
    course = parsed(index(report_of(field(2), ended))).one("section", id="course")
    assert [cell.text for cell in course.one("details").all("td")] == ["100.0", "75.0", "0.0", "25.0"]
    assert course.all("title")[0].text == "Percent of the possible score after 1 to 2 series"


def test_hostile_names_and_stderr_are_text_on_all_pages() -> None:
    entrants = [Competitor(number, f"{number} {HOSTILE}", "x") for number in range(3)]
    results = [*duels("A", "B", "0-1/arena/0"), *duels("C", "A", "0-2/arena/0")]
    evil = fault(detail=HOSTILE, request=HOSTILE, stderr=[HOSTILE, "x" * 10_000], saved=f"games/{HOSTILE}")
    unready = [{"name": HOSTILE, "bot": "x", "number": None, "why": f"{HOSTILE}\n{HOSTILE}"}]
    report = report_of(entrants, results, faults=[evil], unready=unready)
    report = replace(report, table={**report.table, "name": HOSTILE})
    own = [parsed(student(report, 0)), parsed(unbuilt(report, unready[0]))]
    for page in (*pages(report).values(), *own):
        assert page.one("head").one("title").text.count("<script>") >= 1
        assert not page.all("b")
        assert "<script>alert(1)</script>" in page.one("body").text
        assert "\u202e" not in page.text
        assert "\x1b" not in page.text


def test_faults_of_a_kind_are_one_entry_with_the_evidence_of_the_first() -> None:
    late = fault(1, kind="timeout", detail="no answer within 1 s")
    report = random_report(faults=[fault(1), fault(1, step=99), late])
    first, second = parsed(index(report)).one("div", class_="faults").all("details")
    assert first.one("summary").text.split() == ["b", "exit", "at", "getAction", "2", "matches"]
    assert second.one("summary").text.split() == ["b", "timeout", "at", "getAction", "1", "match"]
    entries = dict(zip((node.text for node in first.all("dt")), (node.text for node in first.all("dd")), strict=True))
    assert first.one("summary").all("a") == [], "a button has no link in it"
    assert first.all("a", href="entrants/1.html")
    assert entries == {
        "bot": "b",
        "request": "getAction, round 18, step 75",
        "time": "12.5 ms",
        "what happened": "exited with status 1",
        "stderr": "\nTraceback\nKeyError: 17",
        "the first match": "0-1/arena/0#0, seat 2",
        "watch it": "referee replay cup/games/000001-0.jsonl.gz --step=75",
    }


def test_an_entrants_page_has_its_matches_and_its_rivals_the_hardest_first() -> None:
    results = [*duels("A", "C", "0-2/arena/0"), *duels("B", "A", "0-1/arena/0")]
    results += duels("C", "B", "1-2/arena/0", "1-2/arena/1")
    page = parsed(entrant(report_of(field(3), results), 0))
    assert page.one("header").all("p")[0].text.startswith("rank 2 of 3 · 50.0 % · rating ")
    rivals, matches = page.all("table")
    assert [[row.one("th").text, *(cell.text for cell in row.all("td"))] for row in rivals.one("tbody").all("tr")] == [
        ["b", "0.0", "0", "2", "0.0 % against b"], ["c", "100.0", "2", "2", "100.0 % against c"],
    ]  # fmt: skip
    assert [(label.text, label.attributes["x"]) for label in rivals.one("thead").all("text")] == [
        ("0", "4.00%"), ("50", "50.00%"), ("100", "96.00%"),
    ]  # fmt: skip
    assert {mark.attributes["x1"] for mark in rivals.all("line")} == {"50.00%"}
    shown = matches.one("tbody").all("tr")
    assert [row.attributes["data-match"] for row in shown] == [
        "0-2/arena/0#0", "0-2/arena/0#1", "0-1/arena/0#0", "0-1/arena/0#1",
    ]  # fmt: skip
    assert [cell.text for cell in shown[0].all("td")] == ["1", "1", "0", "1.2", "c", "rounds"]
    of_three = parsed(entrant(report_of(field(3), [series("0-1-2/arena/0", "A2 B3 C1")]), 0))
    assert of_three.all("table")[1].all("td")[4].text == "c, b", "the best first"


def test_the_best_and_the_worst_matches_are_by_score_then_points() -> None:
    lines = [f"A1*{points} B2" for points in (5, 9.5, 4, 7)] + [f"B1 A2*{points}" for points in (5, 1, 3)]
    report = report_of(field(2), [series(f"0-1/arena/{turn}", line) for turn, line in enumerate(lines)])
    _, extremes, _ = parsed(entrant(report, 0)).all("table")
    keys = [row.attributes["data-match"] for row in extremes.one("tbody").all("tr")]
    assert keys == [f"0-1/arena/{turn}#0" for turn in (1, 3, 0, 4, 6, 5)]
    assert [row.all("td")[2].text for row in extremes.one("tbody").all("tr")] == ["9.5", "7", "5", "5", "3", "1"]


def test_the_page_of_a_match_has_the_name_of_its_id() -> None:
    assert page_of("0-1/arena/0#3") == "matches/0-1_arena_0_3.html"
    assert page_of("t2-g0/my_own map/1#0") == "matches/t2-g0_my~5fown~20map_1_0.html"


def test_a_match_with_a_page_has_a_link_and_a_fault_leads_to_its_step() -> None:
    report = random_report()
    first = report.matches.listed()[0]
    match, number = first["id"], first["seats"][0]["number"]
    report = replace(random_report(faults=[fault(number, match=match)]), with_page=frozenset({match}))
    by_path = pages(report)
    page = f"{page_of(match)}#step=75"
    (link,) = by_path["index.html"].one("div", class_="faults").all("a", href=page)
    assert link.text == "watch"
    own = by_path[f"entrants/{number}.html"]
    assert own.all("a", href=f"../{page}")
    for row in own.all("tr"):
        if (name := row.attributes.get("data-match")) is not None:
            assert bool(row.all("a", href=f"../{page_of(name)}")) == (name == match)


def test_the_chosen_matches_are_those_that_pages_name() -> None:
    ids = [match["id"] for match in random_report().matches.listed()]
    first, second, third = ids[0], ids[10], ids[20]
    faults = [fault(match=first), fault(match=second), fault(match=third, kind="timeout")]
    reports = {games: random_report(faults=faults, games=games) for games in ("all", "none", "faults", "best")}
    chosen = {games: [match["id"] for match in report.matches.with_page()] for games, report in reports.items()}
    assert chosen["all"] == ids
    assert chosen["none"] == []
    assert chosen["faults"] == [first, second, third]
    extremes = {seated.match["id"] for own in reports["best"].matches.own.values() for seated in own.extremes}
    assert set(chosen["best"]) == extremes | {first, third}, "of faults of a kind only the first"
    assert chosen["best"] == [match_id for match_id in ids if match_id in chosen["best"]]
    assert random_report(saved=None, games="all").matches.with_page() == []
    few = report_of(field(2), [series("0-1/arena/0", *["A1 B2", "B1 A2"] * 3)])
    assert few.matches.with_page() == few.matches.listed(), "of an entrant with a few matches all"
    assert "Best and worst" not in parsed(entrant(few, 0)).text


def test_a_list_of_matches_that_were_not_kept_promises_no_pages() -> None:
    page = parsed(entrant(report_of(field(2), duels("A", "B", "0-1/arena/0"), saved=None), 0))
    assert not [text.text for text in page.all("p") if "page" in text.text]
    assert not page.all("code")


def test_an_entrant_that_left_has_a_page_and_is_in_no_table_but_that_of_pairs() -> None:
    report = report_of(field(3, left=[1]), [*duels("A", "B", "0-1/arena/0"), *duels("A", "C", "0-2/arena/0")])
    page = parsed(index(report))
    assert [row.attributes["data-number"] for row in rows_of(page, "table")] == ["0", "2"]
    assert [row.attributes["data-number"] for row in rows_of(page, "cross")] == ["0", "2", "1"]
    assert "It left the tournament" in parsed(entrant(report, 1)).one("header").text


def test_a_tournament_without_a_series_that_counts_has_pages() -> None:
    report = report_of(field(2), [])
    assert rows_of(parsed(index(report)), "table")
    assert parsed(index(report)).all("table", id="cross") == []
    assert parsed(entrant(report, 0)).all("table") == []


def test_an_entrant_without_one_of_the_newest_matches_is_told_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("referee.tournament.report.shown.LISTED", 1)
    report = report_of(field(3), [*duels("A", "B", "0-1/arena/0"), *duels("A", "C", "0-2/arena/0")])
    assert "These are the last 0 of 2; " in entrant(report, 1)


def test_large_pages_are_cut() -> None:
    names = [Competitor(number, f"bot {number}", "x") for number in range(ACROSS + 3)]
    pair = duels("A", "B", *(f"0-1/arena/{turn}" for turn in range(1 + OWN // 2)))
    report = report_of(names[:2], pair)
    assert len([row for row in parsed(entrant(report, 0)).all("tr") if "data-match" in row.attributes]) == OWN + 6
    assert f"These are the last {OWN} of {2 * (1 + OWN // 2)};" in entrant(report, 0)
    every = [{"a": 0, "b": number, "score": 1.0, "possible": 1} for number in range(1, len(names))]
    report = report_of(names, [])
    page = parsed(index(replace(report, table={**report.table, "cross": every})))
    assert len(rows_of(page, "cross")) == ACROSS
    assert f"The first {ACROSS} of {len(names)} are shown" in page.text


@pytest.mark.parametrize("refresh", [False, True])
def test_all_pages_load_again_while_the_tournament_runs(refresh: bool) -> None:
    for page in pages(random_report(refresh=refresh)).values():
        assert bool(page.all("meta", http_equiv="refresh")) is refresh


def test_a_page_says_whose_file_an_entrant_is_what_it_calls_itself_and_who_has_the_same_content() -> None:
    report = random_report(3)
    rows = [{**row, "called": None, "twins": [], "id": f"ident{row['number']}"} for row in report.rows]
    rows = [{**row, "called": "Питон №1", "twins": [2]} if row["number"] == 1 else row for row in rows]
    entrants = [replace(entrant, source=f"teams/{entrant.name}.zip") for entrant in report.entrants]
    annotated = replace(report, table={**report.table, "table": rows}, entrants=entrants, notes=["Same content: b, c."])
    page = entrant(annotated, 1)
    twin = '<a href="2.html"><bdi>c</bdi></a>'
    assert f"<bdi>teams/b.zip</bdi> · calls itself <bdi>Питон №1</bdi> · same content as {twin}" in page
    first = index(annotated)
    assert "<bdi>b (Питон №1)</bdi>" in first
    assert "Same content: b, c." in first
    for text in (page, first, table_csv(annotated), table_markdown(annotated)):
        assert "ident" not in text, "reports are published, ids of students are not"


def test_changes_of_the_field_are_on_the_first_page() -> None:
    changed = asdict(Change(3, 7, "<b>", "edited", "x"))
    report = random_report(3)
    page = index(replace(report, status={**report.status, "changes": [changed]}))
    assert "<li>&lt;b&gt; was edited: its new version plays from tour 3 on.</li>" in page
