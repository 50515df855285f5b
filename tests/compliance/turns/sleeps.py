import select

from hunter import read, say

read()
select.select([], [], [], 1.2)
say()
