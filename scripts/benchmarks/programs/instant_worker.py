"""A worker of a tournament that plays nothing: it answers each job at once, with a result that depends on the job only.

It stands in for `referee/tournament/worker.py`, whose theory defines the lines. What is left is the cost of the coordinator.
"""

import json
import sys
from hashlib import sha256
from typing import Any

ANSWERS = 300
BUCKETS = 20
"""Each player has so many answers, in so many buckets of `figures/times.py`: about as many as in a real match."""


def row(job: dict[str, Any]) -> Any:
    """A match, as a real worker describes it. Each number has its strength: of 32, the higher one has more points on average."""
    drawn = sha256(f"{job['rng_seed']}/{job['seating']}".encode()).digest()
    points = [drawn[seat] + 8 * (seating["number"] % 32) for seat, seating in enumerate(job["seats"])]
    places = [1 + sum(other > mine for other in points) for mine in points]
    scores = [sum((other > mine) + (other == mine) / 2 for other in places) - 0.5 for mine in places]
    times = [number for bucket in range(BUCKETS) for number in (150 + bucket, ANSWERS // BUCKETS)]
    return {
        "seats": [
            {
                "seat": seat,
                "number": seating["number"],
                "entrant": seating["content"],
                "called": None,
                "name": seating["name"],
                "place": places[seat],
                "score": scores[seat],
                "points": points[seat],
                "disqualified": None,
                "first_ms": 1.2345678901234,
                "slowest_ms": 2.3456789012345,
                "total_ms": 345.6789012345678,
            }
            for seat, seating in enumerate(job["seats"])
        ],
        "reason": "rounds",
        "seconds": 0.4567890123456,
        "started": "2026-01-01T00:00:00.000000Z",
        "machine": "fake",
        "saved": f"games/{job['series']:06d}-{job['seating']}.jsonl.gz",
        "sha256": drawn.hex(),
        "faults": [],
        "times": [times] * len(points),
    }


if __name__ == "__main__":
    sys.stdin.readline()  # the opening
    for line in sys.stdin:
        print(json.dumps({"row": row(json.loads(line))}), flush=True)
