# Hunts for Easter eggs: takes an egg beside it, or walks on until there is a wall. The memory is the direction.
import random

field = [input() for _ in range(5)]
memory = input()

around = {"1": (1, 1), "2": (1, 2), "3": (1, 3), "4": (2, 3), "5": (3, 3), "6": (3, 2), "7": (3, 1), "8": (2, 1)}
eggs = [direction for direction, (row, column) in around.items() if field[row][column] == "o"]
free = [direction for direction, (row, column) in around.items() if field[row][column] in " *"]

if eggs:
    print(eggs[0])
    print("N")
elif memory in free:
    print(memory)
    print("C")
else:
    memory = random.Random().choice(free) if free else ""
    print(memory)
    print("C")
print(memory)
print("every line from here on is ignored")
