from hunter import read

read()
