"""Trains Apprentice: finds its weights by the cross-entropy method, in matches of candidates against each other.

1. Each generation draws candidates from a normal distribution over the weights. They play matches at tables of four, all on the
   same maps. The best ones give the distribution of the next generation. The last mean is the result.
2. A candidate is worth its points minus the mean of its table, so it pays to score and to bite.
3. The matches are those of `referee.env`, and candidates decide with the bot's own code, on the text that the bot will get.
4. Everything random is drawn from the seed, and a match depends only on its candidates and its seed. So the same seed gives the
   same file, on any number of processes.

    python bots/apprentice/train.py                # writes weights.json: about 7 minutes on two cores
    python bots/apprentice/train.py --generations 1 --candidates 4 -o try.json

It needs the extra: pip install 'referee[rl]'.
"""

import argparse
import json
import sys
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

import numpy as np

from referee import env
from referee.files import assets

HERE = Path(__file__).parent
sys.path[:0] = [str(HERE), str(assets.folder("sdk") / "python")]

from main import FEATURES, best  # noqa: E402
from snake import AreaInfo  # noqa: E402

MAPS = ("crossroads", "maze", "open", "arena", "rooms")
TABLE = 4
BUDGET = {"seed": 1, "generations": 26, "candidates": 32, "deals": 3, "rounds": 300}
"""What weights.json was trained with; the file says it too. `deals`: how many matches each candidate plays in a generation."""
LOAD = 0.5
"""What a block that is still carried at the end counts: so candidates that only collect are better than those that do nothing."""
NOISE = 0.3
"""What is added to the spread of the weights, less in each generation: without it, the search settles too early."""


def play(job: tuple[str, int, int, list[list[float]]]) -> list[float]:
    """The points of the candidates of one table: map, rounds, seed, and the weights of each."""
    map_name, rounds, seed, table = job
    match = env.aec("snakecore", map=map_name, seats=len(table), rounds=rounds, observe="text")
    match.reset(seed=seed)
    points, turns = [0.0] * len(table), [0] * len(table)
    for agent in match.agent_iter():
        seat = match.possible_agents.index(agent)
        seen, reward, terminated, truncated, _ = match.last()
        points[seat] += reward
        area = AreaInfo.parse(seen["observation"])
        turns[seat] += 1
        area.turn = turns[seat]
        action = None
        if terminated or truncated:
            points[seat] += LOAD * len(area.me.blocks)
        else:
            action = best(area, table[seat])
        match.step(action)
    return points


def train(seed, generations, candidates, deals, rounds, processes):
    """The weights by feature."""
    rng = np.random.RandomState(seed)  # the generator whose sequence numpy promises to keep
    mean, spread = np.zeros(len(FEATURES)), np.ones(len(FEATURES))
    elite = max(2, candidates // 4)
    with ProcessPoolExecutor(processes) as pool:
        for generation in range(generations):
            drawn = mean + spread * rng.standard_normal((candidates, len(FEATURES)))
            length = rounds * (generation + generations) // (2 * generations)  # from half the rounds to all of them
            seats, jobs = [], []
            for deal in range(deals):
                place = (generation * deals + deal) % len(MAPS)
                order = rng.permutation(candidates)
                for table in order.reshape(-1, TABLE):
                    jobs.append((MAPS[place], length, int(rng.randint(2**31)), drawn[table].tolist()))
                    seats.append(table)
            worth, scored = np.zeros(candidates), 0.0
            for table, points in zip(seats, pool.map(play, jobs), strict=True):
                worth[table] += np.array(points) - sum(points) / TABLE
                scored += sum(points)
            chosen = drawn[np.argsort(-worth, kind="stable")[:elite]]
            mean = chosen.mean(axis=0)
            spread = chosen.std(axis=0) + NOISE * max(0.0, 1 - 1.5 * generation / generations)
            print(f"generation {generation + 1} of {generations}: {scored / (deals * candidates):.1f} points a seat")
    return {name: round(float(weight), 4) for name, weight in zip(FEATURES, mean, strict=True)}


def main(words=None):
    parser = argparse.ArgumentParser(description="Train Apprentice.")
    for name, usual in BUDGET.items():
        parser.add_argument(f"--{name}", type=int, default=usual)
    parser.add_argument("--processes", type=int, default=2, help="changes the time, not the result")
    parser.add_argument("-o", "--output", type=Path, default=HERE / "weights.json")
    given = parser.parse_args(words)
    header = {name: getattr(given, name) for name in BUDGET}
    weights = train(**header, processes=given.processes)
    given.output.write_text(json.dumps({**header, "weights": weights}, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
