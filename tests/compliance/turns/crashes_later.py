from hunter import read, say

memory = read()[5]
say(f"9\nN\n{'m' * len(memory)}m\n" if len(memory) < 3 else "")
