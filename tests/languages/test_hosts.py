"""Hosts: the files of an SDK that make programs of bots that are written for a contest's template."""

from pathlib import Path

import pytest

from referee import languages
from referee.bots.starting import sdk_for
from referee.languages import Host, Sdk


def recipe(language, sources, sdk):
    return languages.find(language).recipe(sources, sdk)


PYTHON = Sdk("/sdk", (Host("Move.py", program="PlayMove.py"), Host("Other.py", program="PlayOther.py")))
CPP = Sdk("/sdk", (Host("ILogic.hpp", along="LogicHost.cpp"),))
PASCAL = Sdk("/sdk", (Host("Logic.pas", program="LogicHost.pas", along="LogicPlay.pas"),))
FPC = "fpc -O2 -gl -Fu/sdk -FU. "


def build(language, sources):
    sdk = {"cpp": CPP, "pascal": PASCAL}[language]
    return [" ".join(command) for command in recipe(language, sources, sdk).build]


@pytest.mark.parametrize(
    ("names", "run"),
    [
        (["Move.py"], "python3 -m PlayMove"),
        (["Move.py", "IMove.py", "more.py"], "python3 -m PlayMove"),
        (["Other.py", "x.py"], "python3 -m PlayOther"),
        (["main.py", "Move.py"], "python3 main.py"),
        (["move.py"], "python3 move.py"),
    ],
)
def test_a_module_in_python_is_started_by_its_host(names, run):
    assert recipe("python", dict.fromkeys(names, ""), PYTHON).run == tuple(run.split())


@pytest.mark.parametrize(
    ("sources", "is_hosted"),
    [
        ({"a.cpp": '#include "ILogic.hpp"', "ILogic.hpp": ""}, True),
        ({"a.cpp": '#include "ILogic.hpp"'}, False),
        ({"a.cpp": "  # include <api/ILogic.hpp>"}, True),
        ({"a.cpp": '#include "api/MyILogic.hpp"'}, False),
        ({"a.cpp": '// #include "api/ILogic.hpp"'}, False),
    ],
)
def test_a_template_header_in_the_bots_folder_adds_the_host_in_cpp(sources, is_hosted):
    words, more = ("-D__declspec(x)= -D__stdcall= -D__cdecl= ", " /sdk/LogicHost.cpp") if is_hosted else ("", "")
    assert build("cpp", sources) == [f"g++ -std=c++20 -O2 -pipe {words}-I /sdk -o bot a.cpp{more}"]


@pytest.mark.parametrize(
    "uses", ["uses Logic;", "USES SysUtils,\n logic ;", "uses Logic in 'Logic.pas', Classes;", "uses { a } X, Logic;"]
)
def test_a_library_in_pascal_is_loaded_by_the_host(uses):
    for more in ({}, {"logic.pas": "unit Logic;"}):
        assert build("pascal", {"kaa.dpr": f"library Kaa; {uses}", **more}) == [
            f"{FPC}-Mdelphi -Cg -obot.so kaa.dpr",
            f"{FPC}-o./bot /sdk/LogicHost.pas",
        ]


def test_a_program_in_pascal_with_its_own_unit_gets_the_host_added():
    own = {"logic.pas": "unit Logic;"}
    added = [f"{FPC}-Mdelphi -FaLogicPlay,SysUtils -obot kaa.pas"]
    assert build("pascal", {"kaa.pas": "program Kaa; uses Logic;", **own}) == added
    assert (
        build("pascal", {"kaa.pas": "program Kaa; uses Brain;", "brain.pas": "unit Brain; uses Logic;", **own}) == added
    )
    plain = [f"{FPC}-obot kaa.pas"]
    assert build("pascal", {"kaa.pas": "program Kaa; uses Logic;"}) == plain, "the SDK's own unit plays by itself"
    assert build("pascal", {"kaa.pas": "program Kaa;", **own}) == plain, "no source uses it"


def test_an_sdk_lists_its_hosts():
    text = '[[host]]\nserves = "Move.py"\nprogram = "PlayMove.py"\n'
    assert languages.hosts_in(text) == (Host("Move.py", program="PlayMove.py"),)
    for wrong in ("", "host = 1", "[[host]]\nserved = 1\n", "[["):
        with pytest.raises((ValueError, TypeError, KeyError)):
            languages.hosts_in(wrong)


@pytest.mark.parametrize("language", languages.every(), ids=lambda language: language.name)
def test_the_files_of_all_hosts_exist(language):
    sdk = sdk_for(language)
    for host in sdk.hosts if sdk is not None else ():
        named = [name for name in (host.program, host.along) if name is not None]
        assert named
        assert all(Path(sdk.file(name)).is_file() for name in named)
        assert all(Path(name).suffix in language.suffixes for name in named)
