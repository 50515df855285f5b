// @NAME@: a first bot for SnakeCore. It collects blocks, carries them home, and keeps its body out of rivals' reach.
//
// Snake.h talks to the referee and calls `choose` once a turn: start reading there, at the end. Output to std::cout goes
// to the bot's log, so `std::cout << area` shows what the bot sees. Rule numbers are those of `referee rules`.

#include <algorithm>

#include "Snake.h"

using namespace snake;

// It delivers with this many blocks. n blocks score n(n + 1)/2 (rule 13), so larger loads score more and risk more.
constexpr int ENOUGH = 10;

/// Where I would go without rivals: to a reactor if I carry enough blocks or none are left, otherwise to the nearest
/// block.
char errand(const AreaInfo& area) {
    const int blocks = area.me().length() - 1;
    if (blocks >= ENOUGH) return area.firstStep(area.reactors(), area.freeBlocks());
    if (blocks > 0) return area.firstStep(area.freeBlocks(), area.reactors());
    return area.firstStep(area.freeBlocks());
}

/// How many blocks a rival could bite off me in its next turn if I did this now (rule 11).
int danger(const AreaInfo& area, char action) {
    const AreaInfo later = area.after(action);
    int worst = 0;
    for (const Python& rival : later.rivals()) {
        for (char direction : DIRECTIONS) {
            const Outcome bite = later.outcome(direction, rival.index);
            if (bite.victim == later.me().index) worst = std::max(worst, static_cast<int>(bite.points));
        }
    }
    return worst;
}

/// The action of this turn: one of U L D R (move), N (wait), A (raise the shield).
char choose(const AreaInfo& area) {
    char best = errand(area);
    // Another step is better only if it is safer. It may lead to an empty cell, to my own tail, which moves away in time
    // (rule 12), or to a free block. Waiting is not an option, since two careful bots would wait for each other.
    for (char action : DIRECTIONS) {
        const Kind kind = area.outcome(action).kind;
        const bool open = kind == Kind::Move || kind == Kind::Eat;
        if (open && danger(area, action) < danger(area, best)) best = action;
    }
    // No move is safe, but an energy block protects me for ten turns (rule 14).
    if (danger(area, best) > 0 && area.me().energy() > 0) return Action::SHIELD;
    return best;
}

int main() { run("@NAME@", choose); }
