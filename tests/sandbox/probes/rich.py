"""What a Python player may well do: threads, event loops, pairs of sockets, modules in C, big memory, files it may read."""

import asyncio
import concurrent.futures
import decimal
import hashlib
import json
import os
import random
import select
import socket
import sqlite3
import ssl
import sys
import threading
import time
import zlib


async def loop():
    left, right = socket.socketpair()
    right.sendall(b"x")
    assert await asyncio.get_running_loop().run_in_executor(None, left.recv, 1) == b"x"
    _, writer = await asyncio.open_connection(sock=left)
    writer.write(b"y")
    await writer.drain()
    assert right.recv(1) == b"y"
    writer.close()
    await asyncio.sleep(0.001)
    return await asyncio.gather(*(asyncio.to_thread(pow, 3, power, 1000) for power in range(20)))


def main():
    line = sys.stdin.readline()
    assert asyncio.run(loop())[3] == 27
    with concurrent.futures.ThreadPoolExecutor(8) as pool:
        assert sum(pool.map(len, ["ab"] * 50)) == 100
    event = threading.Event()
    timer = threading.Timer(0.001, event.set)
    timer.start()
    assert event.wait(10)
    with sqlite3.connect(":memory:") as book:
        assert book.execute("select 1 + 1").fetchone() == (2,)
    with open(__file__, "rb") as file:
        assert zlib.decompress(zlib.compress(file.read())).startswith(b'"""What')
    memory = bytearray(1 << 24)
    memory.extend(bytes(1 << 24))
    time.process_time(), time.thread_time(), os.times(), os.urandom(8), random.Random().random()
    poll = select.epoll()
    poll.close()
    assert all([decimal.Decimal(1) / 8, json.dumps({}), hashlib.sha256(b"").digest(), ssl.OPENSSL_VERSION])
    print("played", line.strip(), flush=True)


main()
