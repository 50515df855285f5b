"""Advice from the last log lines of bots that ended in a cell. The lines are what real programs wrote there."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.sandbox import advice as advice_room
from referee.sandbox.advice import LINES, advise

MEMORY = 256 << 20
WRITES, LIBRARY, FOLDER = advice_room._WRITES, advice_room._LIBRARY, advice_room._FOLDER
PROCESSES, NETWORK, STDIN = advice_room._PROCESSES, advice_room._NETWORK, advice_room._STDIN
REQUIRE, ELSEWHERE, REFUSED = advice_room._REQUIRE, advice_room._ELSEWHERE, advice_room._REFUSED
HOLDS = "Its memory limit is 256 MiB: --memory SIZE sets another."

NO_CLASS = "Error: Could not find or load main class B\nCaused by: java.lang.ClassNotFoundException: B"
NODE_STACK = """\
    at Interface.<anonymous> (/bot/x.js:1:133)
    at [_onLine] [as _onLine] (node:internal/readline/interface:414:12)
    at Socket.ondata (node:internal/readline/interface:246:23)
    at Socket.emit (node:events:524:28)"""


@pytest.mark.parametrize(
    ("words", "advice"),
    [
        ("""    open("log.txt","w")\nOSError: [Errno 30] Read-only file system: 'log.txt'""", WRITES),
        ("OSError: [Errno 30] log.txt", WRITES),
        ("bot.sh: 1: Cannot fork", PROCESSES),
        ("could not open book.txt", FOLDER),
        ("cannot open a way to the reactor.", None),
        ('  File "/bot/a.py", line 3\n    type X = int\n         ^\nSyntaxError: invalid syntax', advice_room._NEWER),
        ("ImportError: cannot import name 'run' from partially initialized module 'snake'", advice_room._CIRCULAR),
        ("SyntaxError: Missing parentheses in call to 'print'. Did you mean print(...)?", None),
        ("SyntaxError: Non-UTF-8 code starting with '\\xf6' in file /bot/a.py on line 2", advice_room._ENCODING),
        ("main.rb:2: invalid multibyte char (UTF-8)", advice_room._ENCODING),
        ("FileNotFoundError: [Errno 2] No such file or directory: '/dev/stdin'", STDIN),
        ("Error: ENXIO: no such device or address, open '/dev/stdin'", STDIN),
        ("bot.sh: 3: cannot create /dev/stderr: No such device or address", STDIN),
        (f"{NODE_STACK} {{\n  errno: -30,\n  code: 'EROFS',\n  path: 'a'\n}}\n\nNode.js v20.20.2", WRITES),
        ("FileNotFoundError: [Errno 2] No usable temporary directory found in ['/tmp', '/var/tmp', '/bot']", WRITES),
        ("    import numpy\nModuleNotFoundError: No module named 'numpy'", LIBRARY),
        ("ModuleNotFoundError: No module named 'numpy.linalg'", LIBRARY),
        (f"{NODE_STACK} {{\n  code: 'MODULE_NOT_FOUND',\n  requireStack: [ '/bot/x.js' ]\n}}\nNode.js v20.20.2", FOLDER),
        ("Error: Cannot find module './other'", FOLDER),
        (f"Cannot find package 'snake' imported from /bot/a.mjs\n{NODE_STACK} {{\n  code: 'ERR_MODULE_NOT_FOUND'\n}}", REQUIRE),
        (f"Cannot find package 'snakes' imported from /bot/a.mjs\n{NODE_STACK} {{\n  code: 'ERR_MODULE_NOT_FOUND'\n}}", FOLDER),
        (f"SyntaxError: Cannot use import statement outside a module\n{NODE_STACK}\n\nNode.js v18.19.0", REQUIRE),
        ("ReferenceError: require is not defined in ES module scope, you can use import instead", REQUIRE),
        (NO_CLASS, FOLDER),
        ("Error: Unable to access jarfile nope.jar", FOLDER),
        ("    sl = self._semlock = _multiprocessing.SemLock(\nFileNotFoundError: [Errno 2] No such file or directory", PROCESSES),
        ('File "/usr/lib/python3.11/subprocess.py", line 1883\nPermissionError: [Errno 1] Operation not permitted', PROCESSES),
        ("    self.pid = _fork_exec(\n               ^^^\nPermissionError: [Errno 1] Operation not permitted", PROCESSES),
        ("    os.fork()\nPermissionError: [Errno 1] Operation not permitted", PROCESSES),
        ("Error: spawn EPERM", PROCESSES),
        (f"{NODE_STACK} {{\n  errno: -1,\n  code: 'EPERM',\n  syscall: 'spawn'\n}}", PROCESSES),
        ("java.io.IOException: Operation not permitted\n\tat java.lang.ProcessImpl.forkAndExec(Native Method)", PROCESSES),
        ("    _socket.socket.__init__(self, family, type, proto)\nPermissionError: [Errno 1] Operation not permitted", NETWORK),
        (f"{NODE_STACK} {{\n  code: 'EPERM',\n  syscall: 'connect',\n  port: 80\n}}", NETWORK),
        ('Exception in thread "main" java.net.SocketException: Operation not permitted\n\tat X.main(X.java:3)', NETWORK),
        ("getaddrinfo: Operation not permitted", NETWORK),
        (f"{NODE_STACK} {{\n  code: 'EAI_AGAIN',\n  syscall: 'getaddrinfo'\n}}", NETWORK),
        ("urllib.error.URLError: <urlopen error [Errno -3] Temporary failure in name resolution>", NETWORK),
        ("java.net.UnknownHostException: example.org", NETWORK),
        ("    b = bytearray(2**40)\nMemoryError", HOLDS),
        ("terminate called after throwing an instance of 'std::bad_alloc'\n  what():  std::bad_alloc", HOLDS),
        ("FATAL ERROR: Reached heap limit Allocation failed - JavaScript heap out of memory\n 1: 0xb [/usr/bin/node]", HOLDS),
        ('Exception in thread "main" java.lang.OutOfMemoryError: Java heap space\n\tat X.main(X.java:3)', HOLDS),
        ("mmap: Cannot allocate memory", HOLDS),
        ("FileNotFoundError: [Errno 2] No such file or directory: '/home/me/book.txt'", ELSEWHERE),
        ("Error: ENOENT: no such file or directory, open '/tmp/a.log'\n  code: 'ENOENT'", ELSEWHERE),
        ("FileNotFoundError: [Errno 2] No such file or directory: 'book.txt'", FOLDER),
        (f"{NODE_STACK} {{\n  errno: -2,\n  code: 'ENOENT',\n  path: 'b.txt'\n}}", FOLDER),
        ("PermissionError: [Errno 1] Operation not permitted: 'x.py'", REFUSED),
        (f"Error: EPERM: operation not permitted, chmod 'x'\n{NODE_STACK}\n  code: 'EPERM'", REFUSED),
        ("PermissionError: [Errno 13] Permission denied: 'log.txt'", REFUSED),
        ('  File "/home/me/venv/lib/numbers.py", line 3\nKeyError: 3', None),
        ("    row[9]\nIndexError: list index out of range", None),
        ("a fork on d5, I connect my socket: subprocess of spawn\nKeyError: 3", None),  # no error message
        ("", None),
    ],
)  # fmt: skip
def test_the_advice_for_a_log(words, advice):
    assert advise(words.splitlines(), memory=MEMORY) == advice


def test_the_last_line_takes_precedence():
    lines = ["No module named 'numpy': the slow way then", "MemoryError"]
    assert advise(lines, memory=MEMORY) == HOLDS
    assert advise(lines[::-1], memory=MEMORY) == LIBRARY
    assert advise(["MemoryError", *["thinking"] * LINES], memory=MEMORY) is None


@pytest.mark.parametrize(
    ("named", "beside", "name"),
    [
        ("'other'", {"other.py", "x.txt"}, "other.py"),
        ("'other.inner'", {"other"}, "other"),
        ("other", {"other.py"}, "other.py"),
        ("other", {"other", "other.py"}, "other.py"),
        ("'other'", {"others.py"}, None),
        ("'../other'", {"../other.py"}, None),
    ],
)
def test_a_module_beside_the_bot_is_named(named, beside, name):
    advice = advise([f"ModuleNotFoundError: No module named {named}"], memory=MEMORY, beside=beside)
    if name is None:
        assert advice is None or advice == LIBRARY
    else:
        assert advice == f"{name} is beside the bot. {FOLDER}"


def test_a_bot_in_a_folder_is_not_advised_to_make_one():
    for words in ("Error: Cannot find module './other'", "FileNotFoundError: [Errno 2] No such file: 'book.txt'"):
        assert advise([words], memory=MEMORY, whole_folder=True) == ELSEWHERE
        assert advise([words], memory=MEMORY) == FOLDER


def test_the_cause_is_found_in_a_deep_trace():
    deep = ["java.lang.OutOfMemoryError: Java heap space", *["\tat X.deeper(X.java:3)"] * (LINES - 1)]
    assert advise(deep, memory=MEMORY) == HOLDS


def test_only_the_beginning_of_a_long_line_is_read():
    assert advise(["x " * 200 + "MemoryError"], memory=MEMORY) == HOLDS
    assert advise(["x " * 300 + "MemoryError"], memory=MEMORY) is None


PIECES = st.sampled_from(["No module named '", "spawn ", "EPERM", "/tmp/", "ENOENT", "\x1b[31m", "\n", "a"]) | st.text()


@given(st.lists(st.lists(PIECES, max_size=8).map("".join)))
def test_a_bots_own_words_never_get_into_the_advice(words):
    own = {None, WRITES, LIBRARY, FOLDER, PROCESSES, NETWORK, HOLDS, ELSEWHERE, REFUSED, REQUIRE}
    advice = advise(words, memory=MEMORY, beside={"a.py", "\x1b[31m"})
    assert advice in own or advice.startswith("a.py is ")
