"""Attacks in ordinary Python, without direct system calls.

Orders and results are as in attack.h; each function is an attack.
"""

import ctypes
import errno
import mmap
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import urllib.request
from pathlib import Path

ATTACKS = {}


def attack(function):
    ATTACKS[function.__name__] = function
    return function


@attack
def py_run(targets):
    subprocess.run([sys.executable, "-c", ""], check=True)


@attack
def py_os_system(targets):
    if os.system("true"):
        raise OSError(errno.ECHILD, "no process for it")


@attack
def py_fork(targets):
    pid = os.fork()
    if pid == 0:
        os._exit(0)
    os.waitpid(pid, 0)


@attack
def py_exec_interpreter(targets):
    os.execv(sys.executable, [sys.executable, "-S", "-c", "print('hit py_exec_interpreter')"])


@attack
def py_download(targets):
    with urllib.request.urlopen(f"http://127.0.0.1:{targets['http']}/", timeout=5) as answer:
        answer.read(1)


@attack
def py_serve(targets):
    with socket.create_server(("127.0.0.1", 0)):
        pass


@attack
def py_read_secret(targets):
    Path(targets["secret"]).read_bytes()


@attack
def py_environment(targets):
    if "SECRET" not in os.environ:
        raise OSError(errno.ENODATA, "not there")


@attack
def py_write_beside_itself(targets):
    path = Path(__file__).with_name("learned.txt")
    path.write_text("for the next match")
    path.unlink()


@attack
def py_write_temporary(targets):
    with tempfile.TemporaryFile() as file:
        file.write(b"x")


@attack
def py_remove_folder(targets):
    shutil.rmtree(targets["removable"])


@attack
def py_kill(targets):
    os.kill(int(targets["victim"]), signal.SIGUSR1)


@attack
def py_limits(targets):
    import resource

    resource.setrlimit(resource.RLIMIT_NPROC, (4096, 4096))


@attack
def py_processes(targets):
    sum(name.isdigit() for name in os.listdir("/proc"))


@attack
def py_libc_ptrace(targets):
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.ptrace(0x4206, int(targets["victim"]), 0, 0):  # PTRACE_SEIZE
        raise OSError(ctypes.get_errno(), "ptrace")


@attack
def py_memory(targets):
    bytearray(b"\1") * (96 << 20)


@attack
def py_shared_map(targets):
    memory = mmap.mmap(-1, 96 << 20)
    for offset in range(0, len(memory), mmap.PAGESIZE):
        memory[offset] = 1


@attack
def py_pool(targets):
    from multiprocessing.pool import Pool

    with Pool(1) as pool:
        pool.apply(abs, (-1,))


@attack
def py_threads(targets):
    threading.stack_size(1 << 16)
    gate = threading.Event()
    threads = []
    try:
        for _ in range(200):
            threads.append(threading.Thread(target=gate.wait))
            threads[-1].start()
    except RuntimeError:
        raise OSError(errno.EAGAIN, "no more threads") from None
    finally:
        gate.set()


@attack
def py_other_output(targets):
    fd = os.open("/proc/self/fd/1", os.O_RDWR | os.O_NONBLOCK)
    os.close(fd)


def attempt(name, *words):
    try:
        ATTACKS[name](dict(word.split("=", 1) for word in words))
    except MemoryError:
        print("refused", name, "MemoryError", flush=True)
    except (OSError, ValueError, ImportError, subprocess.SubprocessError) as refused:
        reason = getattr(refused, "reason", refused)  # urllib wraps the error
        code = getattr(reason, "errno", None)
        print("refused", name, errno.errorcode.get(code, type(reason).__name__), flush=True)
    else:
        print("hit", name, flush=True)


for line in sys.stdin:
    attempt(*line.split())
