"""One match: lining up, the referee's loop, the result; and a saved match put to another bot."""
