// @NAME@: a first bot for SnakeCore. It goes to the nearest block, delivers its load, and looks one turn ahead at what
// rivals could bite off.
//
// Snake.h talks to the referee and calls `choose` once a turn: start reading there. Output to std::cout goes to the
// bot's log, so `std::cout << area` shows what the bot sees. Rule numbers are those of `referee rules`.

#include <algorithm>

#include "Snake.h"

using namespace snake;

// It delivers with this many blocks. n blocks score n(n + 1)/2 (rule 13): one load of 10 is worth far more than two of
// 5, but risks more.
constexpr int LOAD = 10;

// It also delivers half a load if a reactor is at most this many moves away.
constexpr int DETOUR = 3;

// A match usually has 300 rounds, and blocks that it still carries at the end are worth nothing.
constexpr int LAST_ROUNDS = 280;

/// Moves to the nearest reactor, including the delivery; more than any path has if none is reachable.
int movesHome(const AreaInfo& area) {
    const Distances& ways = area.distances(area.me().head());
    int nearest = area.size() * area.size();
    for (Cell reactor : area.reactors()) {
        if (ways.contains(reactor)) nearest = std::min(nearest, ways[reactor]);
    }
    return nearest;
}

/// Whether its load is worth a delivery now.
bool isLoaded(const AreaInfo& area) {
    const int blocks = area.me().length() - 1;
    if (blocks >= LOAD || (blocks > 0 && area.turn() >= LAST_ROUNDS)) return true;
    return blocks >= LOAD / 2 && movesHome(area) <= DETOUR;
}

/// Where it would go without rivals.
char errand(const AreaInfo& area) {
    if (isLoaded(area)) return area.firstStep(area.reactors(), area.freeBlocks());
    if (area.me().length() > 1) return area.firstStep(area.freeBlocks(), area.reactors());
    return area.firstStep(area.freeBlocks());  // a head alone scores nothing at a reactor
}

/// How many blocks the action may cost: bitten off by itself, or by a rival in the rival's next turn (rule 11).
int harm(const AreaInfo& area, char action) {
    const AreaInfo later = area.after(action);  // the board after the action
    const bool bitesItself = area.outcome(action).victim == 0;
    const int own = bitesItself ? area.me().length() - later.me().length() : 0;
    int worst = 0;
    for (const Python& rival : later.rivals()) {
        for (char direction : DIRECTIONS) {
            const Outcome bite = later.outcome(direction, rival.index);
            if (bite.victim == 0) worst = std::max(worst, static_cast<int>(bite.points));
        }
    }
    return own + worst;
}

/// The action of this turn: one of U L D R (move), N (wait), A (raise the shield).
char choose(const AreaInfo& area) {
    char best = errand(area);
    // Waiting is not an option, since two careful bots would wait for each other for ever.
    for (char action : DIRECTIONS) {
        const Kind kind = area.outcome(action).kind;
        const bool harmless = kind == Kind::Move || kind == Kind::Eat;
        if (harmless && harm(area, action) < harm(area, best)) best = action;
    }
    // No move is safe, so it uses up an energy block: for ten turns, nobody can bite it (rule 14).
    if (harm(area, best) > 0 && area.me().energy() > 0) return Action::SHIELD;
    return best;
}

int main() { run("@NAME@", choose); }
