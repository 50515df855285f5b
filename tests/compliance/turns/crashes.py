from hunter import read

print(9, read()[7])
