import referee


# Play: sample bots against a function, which gets the text of a request and returns its answer.
def walker(request: str) -> str:
    return "ULDR"[len(request) % 4]


players = ["oracle", "hunter", walker]
match = referee.play(players, map="arena", seed=7, rounds=60, save="game.jsonl")
print(match)

# Walk: a step has its requests, its answers, what happened, and the board after it.
saved = referee.load("game.jsonl")
for step in saved:
    if any("delivers" in line for line in step.words):
        print(f"step {step.number}:", *step.words)
print("proven:", saved.verify())

# Draw: a board is text, a picture, and a position to play on from.
board = saved.board(150)
print(board)
with open("board.svg", "w") as file:
    file.write(board.svg())

# Rate: each player from each starting place.
print(referee.rate(referee.play(players, map="arena", seed=7, rounds=60, rotate=k) for k in range(3)))
