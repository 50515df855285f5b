"""What every site of the referee stands on: HTTP, who may do what, live events, pages. No file here knows a game or a match.

All but `refusals` need the extra `web` (starlette and hypercorn). The code runs on any event loop that anyio knows; only `server`
needs asyncio.
"""
