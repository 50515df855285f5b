// @NAME@: a first bot for SnakeCore. It goes for the nearest block, carries a load home, and looks one turn ahead at
// what the rivals could bite off it.
//
// Snake.h talks to the referee and calls `choose` once a turn: start to read there. What is printed to std::cout goes
// to the bot's log, so `std::cout << area` shows what the bot sees. Rule numbers are those of `referee rules`.

#include <algorithm>

#include "Snake.h"

using namespace snake;

// With so many blocks aboard it goes home. n blocks score n(n + 1)/2 (rule 13): one load of 10 beats two of 5 by far,
// but there is more to lose.
constexpr int LOAD = 10;

// With half a load it goes home too, when a reactor is no more moves away than this.
constexpr int DETOUR = 3;

// A match has 300 rounds as a rule, and what is still aboard at its end is worth nothing.
constexpr int LAST_ROUNDS = 280;

/// Moves to the nearest of the reactors, delivery included; more than any way has when none can be reached.
int movesHome(const AreaInfo& area) {
    const Distances& ways = area.distances(area.me().head());
    int nearest = area.size() * area.size();
    for (Cell reactor : area.reactors()) {
        if (ways.contains(reactor)) nearest = std::min(nearest, ways[reactor]);
    }
    return nearest;
}

/// Whether the blocks aboard are worth a way home now.
bool isLoaded(const AreaInfo& area) {
    const int blocks = area.me().length() - 1;
    if (blocks >= LOAD || (blocks > 0 && area.turn() >= LAST_ROUNDS)) return true;
    return blocks >= LOAD / 2 && movesHome(area) <= DETOUR;
}

/// Where it would go if nobody else were there.
char errand(const AreaInfo& area) {
    if (isLoaded(area)) return area.firstStep(area.reactors(), area.freeBlocks());
    if (area.me().length() > 1) return area.firstStep(area.freeBlocks(), area.reactors());
    return area.firstStep(area.freeBlocks());  // a reactor gives nothing for a head alone
}

/// How many blocks the action may cost: bitten off by itself, or by a rival in its next turn (rule 11).
int harm(const AreaInfo& area, char action) {
    const AreaInfo later = area.after(action);  // the board as it would be then
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
    // To wait is not among them: two careful bots would wait for each other, to the end.
    for (char action : DIRECTIONS) {
        const Kind kind = area.outcome(action).kind;
        const bool harmless = kind == Kind::Move || kind == Kind::Eat;
        if (harmless && harm(area, action) < harm(area, best)) best = action;
    }
    // Nothing helps, but an energy block of the body does: it is used up, and for ten turns nobody can bite (rule 14).
    if (harm(area, best) > 0 && area.me().energy() > 0) return Action::SHIELD;
    return best;
}

int main() { run("@NAME@", choose); }
