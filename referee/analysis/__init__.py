"""Why a match went as it did: leads, gains and losses, turns that came to nothing, slow answers, faults. Pure."""
