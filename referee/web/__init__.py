"""What every site of the referee stands on: HTTP, who may do what, live events, pages. No file here knows a game or a match.

All but `refusals` need the extra `web` (starlette and hypercorn). A site runs on any event loop that anyio knows,
but `server` needs asyncio. The processes that work for a site run on trio.
"""
