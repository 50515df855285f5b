"""Tournaments on a cluster of Dask.

1. Dask connects the machines: its scheduler knows the workers, carries calls to them, and notices when one is lost. Which worker
   plays which match is decided here, because matches that share processors would disturb each other's clocks (`booking.py`).
2. `crew.py` is the coordinator's side: it admits workers (`admission.py`), and hands them batches of matches that take some
   seconds (`booking.py`). `member.py` is what runs on a worker. It plays with the same worker processes as one machine does.
3. Bots are built once, by the coordinator. Their copies travel by content (`copies.py`), so all machines run the same bytes.
4. A worker is *refused* if it has another referee, rules or Python, cannot isolate players, or cannot run a bot that runs on the
   coordinator's machine. It gets no matches, and the coordinator says why.
"""
