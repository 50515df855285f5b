import select

from hunter import read, say

read()
say()
select.select([], [], [], 2.5)
