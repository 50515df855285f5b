// @NAME@: a first bot for ants. It knows its way home, and each ant searches the field at a different slope.
//
// The SDK (IAntLogic.hpp) talks to the referee and calls GetAction for each turn of each ant: start reading there, at
// the end. Printed output goes to the bot's log. Nothing else may be kept between two calls, so the ants' memories
// hold everything that this bot knows.
#include "IAntLogic.hpp"

// Out of this many steps of a search, an ant makes as many sideways as its number says, and the others up or down.
const int SLOPE = 11;

// The layout of an ant's memory, which begins as zeros.
struct Kept {
    unsigned char number;    // from 1; 0 before its first turn
    signed char x, y;        // its distance from its hill to the right and down
    bool headsRight, headsDown;
    unsigned char steps;     // of its search
};
static_assert(sizeof(Kept) <= MAX_MEMORY, "an ant has no more memory");

// Makes a move to the neighbouring cell dx to the right and dy down, and counts it.
AntActionType step(Kept& kept, int dx, int dy) {
    kept.x = static_cast<signed char>(kept.x + dx);
    kept.y = static_cast<signed char>(kept.y + dy);
    if (dx != 0) return dx < 0 ? MOVE_LEFT : MOVE_RIGHT;
    return dy < 0 ? MOVE_UP : MOVE_DOWN;
}

// The first turn, on the hill: ants are identical at birth, and number themselves by the mark on the hill.
void begin(Kept& kept, AntSensor sensors[3][3]) {
    const AntSensor& here = sensors[1][1];
    kept.number = static_cast<unsigned char>(here.smellIntensity > 0 ? (here.smell & 255) % 255 + 1 : 1);
    kept.headsRight = !sensors[2][1].isWall;
    kept.headsDown = !sensors[1][2].isWall;
}

// A step towards the hill, sideways first.
AntActionType goHome(Kept& kept) {
    if (kept.x != 0) return step(kept, kept.x > 0 ? -1 : 1, 0);
    return step(kept, 0, kept.y > 0 ? -1 : 1);
}

// A step to food beside the ant, or along its slope, which turns back at walls.
AntActionType search(Kept& kept, AntSensor sensors[3][3]) {
    const int sides[4][2] = {{0, -1}, {-1, 0}, {0, 1}, {1, 0}};
    for (const auto& side : sides) {
        const AntSensor& cell = sensors[1 + side[0]][1 + side[1]];
        if (cell.isFood && !cell.isMyHill) return step(kept, side[0], side[1]);
    }
    if (sensors[2][1].isWall || sensors[0][1].isWall) kept.headsRight = sensors[0][1].isWall;
    if (sensors[1][2].isWall || sensors[1][0].isWall) kept.headsDown = sensors[1][0].isWall;
    kept.steps = static_cast<unsigned char>((kept.steps + 1) % SLOPE);
    if (kept.steps < kept.number) return step(kept, kept.headsRight ? 1 : -1, 0);
    return step(kept, 0, kept.headsDown ? 1 : -1);
}

const char* GetTeamName() { return "@NAME@"; }

// The action of this turn. sensors[x][y] are the cells around: [0][0] is the top left, [1][1] the ant's own.
AntAction GetAction(const Ant& ant, AntSensor sensors[3][3]) {
    Kept& kept = *reinterpret_cast<Kept*>(ant.getMemory());
    const AntSensor& here = sensors[1][1];
    AntAction action = {PUT, false, 0};
    if (kept.number == 0) {
        begin(kept, sensors);
        action.putSmell = true;  // for the next ant to be born
        action.smell = kept.number;
        action.actionType = search(kept, sensors);
    } else if (ant.hasFood()) {
        if (!here.isMyHill) action.actionType = goHome(kept);
    } else if (here.isFood && !here.isMyHill) {
        action.actionType = GET;
    } else {
        action.actionType = search(kept, sensors);
    }
    return action;
}
