// Sentinel: one ant guards its own hill, some block the hills of others, and the rest gather where marks report food.
//
// 1. An ant counts its distance from its hill, u cells along one wall and v along the other. Other hills are in corners too.
// 2. A hill in a corner has two entrances, the cells beside it. An ant on the hill that bites at both in turn holds up all
//    ants that come one after the other: thieves on its own hill, ants with food on the hills of others.
// 3. A mark on the way home says where a heap is, or that it is used up. Marks of other teams are ignored.
#include "IAntLogic.hpp"

namespace {

const int SIZE = 31;   // places to search are taken from a field of that size
const int FAR = 255;   // a place that no ant reaches: it walks until a wall is in the way
const int LOST = 8;    // the number of turns that a bite costs
const int STALE = 20;  // fainter marks are ignored: they are older than 80 units
const int SIGN = 913;  // the beginning of a mark in decimal: SIGN, corner, more (1) or none (0), two digits each for u and v

enum Task { GATHER, HOLD_HOME, CLOSE };

struct Step {
    int u, v;
    bool none() const { return u == 0 && v == 0; }
};

const Step SIDES[4] = {{1, 0}, {0, 1}, {-1, 0}, {0, -1}};
const Step AROUND[8] = {{1, 0}, {0, 1}, {-1, 0}, {0, -1}, {1, 1}, {1, -1}, {-1, 1}, {-1, -1}};

/// The layout of an ant's memory.
struct Kept {
    unsigned char number;          // from 1; 0 before its first turn
    unsigned char u, v;            // where it is
    unsigned char right, lower;    // whether the hill is at the right wall, at the lower one
    unsigned char task;
    unsigned char goalU, goalV;    // where it is going
    unsigned char sure;            // whether that is a known heap, not a place to search
    unsigned char searches;        // how often it has chosen a place to search
    unsigned char heapU, heapV;    // where its food is from, or where it found nothing
    unsigned char more;            // whether more was left there
    unsigned char side;            // which side it bit last
    unsigned char patience;        // turns for which it still lets enemies pass
};
static_assert(sizeof(Kept) <= MAX_MEMORY, "an ant has no more memory");

int sign(int number) { return (number > 0) - (number < 0); }

class Mind {
public:
    Mind(const Ant& ant, AntSensor (*sensors)[3])
        : kept_(*reinterpret_cast<Kept*>(ant.getMemory())), sensors_(sensors), carries_(ant.hasFood()) {}

    AntAction decide() {
        const AntSensor& here = sensors_[1][1];
        if (kept_.number == 0) return begin();
        const bool holds = (kept_.task == HOLD_HOME && here.isMyHill) || (kept_.task == CLOSE && here.isEnemyHill);
        if (kept_.patience > 0) --kept_.patience;
        if (holds || kept_.patience == 0) {
            for (int turn = 1; turn <= 4; ++turn) {
                const int side = (kept_.side + turn) % 4;
                if (!seen(SIDES[side]).isEnemy) continue;
                kept_.side = static_cast<unsigned char>(side);
                kept_.patience = LOST;
                return only(static_cast<AntActionType>(way(SIDES[side]) + BITE_UP));
            }
        }
        // On another team's hill, it takes a milligram and keeps it; on its own hill, it could only put one down.
        if (holds) return only(kept_.task == CLOSE ? GET : PUT);
        if (carries_) return carry();
        if (here.isFood && !here.isMyHill && kept_.task == GATHER) {
            kept_.heapU = kept_.u;
            kept_.heapV = kept_.v;
            kept_.more = 0;
            return only(GET);
        }
        smell();
        return search();
    }

private:
    /// The first turn, on the hill: its number is one more than that of the ant before it, which has left it as a mark.
    AntAction begin() {
        const AntSensor& here = sensors_[1][1];
        kept_.number = static_cast<unsigned char>(here.smellIntensity > 0 ? (here.smell & 0xFF) % 255 + 1 : 1);
        kept_.right = sensors_[2][1].isWall;
        kept_.lower = sensors_[1][2].isWall;
        choose();
        switch (kept_.number) {
            case 2: close(FAR, 0); break;
            case 3: close(0, FAR); break;
            case 5: close(FAR, FAR); break;
            case 7: kept_.task = HOLD_HOME; break;
        }
        if (kept_.task == HOLD_HOME) return {PUT, true, kept_.number};
        AntAction action = search();
        action.putSmell = true;
        action.smell = kept_.number;
        return action;
    }

    void close(int u, int v) {
        kept_.task = CLOSE;
        go(u, v, false);
    }

    /// The next place to search: each ant has a different order, and every third place is a corner.
    void choose() {
        const int turn = kept_.number * 5 + kept_.searches;
        kept_.searches = static_cast<unsigned char>(kept_.searches + 1);
        if (kept_.searches % 3 != 0) {
            go(turn * 12 % SIZE, turn * 19 % SIZE, false);
        } else {
            go(turn % 3 == 0 ? 0 : FAR, turn % 3 == 1 ? 0 : FAR, false);
        }
    }

    void go(int u, int v, bool sure) {
        kept_.goalU = static_cast<unsigned char>(u);
        kept_.goalV = static_cast<unsigned char>(v);
        kept_.sure = sure;
    }

    /// A step home, with a mark that says where the food is from and whether there is more.
    AntAction carry() {
        const AntSensor& here = sensors_[1][1];
        if (kept_.u == kept_.heapU && kept_.v == kept_.heapV) kept_.more = here.isFood;
        const int place = kept_.more * 10000 + kept_.heapU % 100 * 100 + kept_.heapV % 100;
        AntAction action = {PUT, true, (SIGN * 10 + corner()) * 100000 + place};
        if (!here.isMyHill) {
            action.actionType = towards({-kept_.u, -kept_.v});
        } else if (kept_.more) {
            go(kept_.heapU, kept_.heapV, true);
        } else {
            choose();
        }
        return action;
    }

    /// Follows the marks: go to a heap, or give up an empty one.
    void smell() {
        if (kept_.task != GATHER) return;
        for (int x = 0; x < 3; ++x) {
            for (int y = 0; y < 3; ++y) {
                const AntSensor& cell = sensors_[x][y];
                if (cell.smellIntensity < STALE || cell.smell / 100000 != SIGN * 10 + corner()) continue;
                const int u = cell.smell / 100 % 100, v = cell.smell % 100;
                const bool more = cell.smell / 10000 % 10 == 1;
                if (kept_.sure) {
                    if (!more && u == kept_.goalU && v == kept_.goalV) choose();
                } else if (more && !(u == kept_.heapU && v == kept_.heapV)) {
                    go(u, v, true);
                }
            }
        }
    }

    /// A step to food in sight, or else to the goal; an ant on its way to block a hill ignores food.
    AntAction search() {
        for (const Step& step : AROUND) {
            if (kept_.task == GATHER && seen(step).isFood && !seen(step).isMyHill) return only(towards(step));
        }
        for (int attempt = 0; attempt < 8; ++attempt) {
            // When a wall is in sight, it replaces FAR.
            const int u = kept_.goalU == FAR && seen({1, 0}).isWall ? 0 : kept_.goalU - kept_.u;
            const int v = kept_.goalV == FAR && seen({0, 1}).isWall ? 0 : kept_.goalV - kept_.v;
            const Step next = ahead({u, v});
            if (!next.none() && !seen(next).isWall) return only(towards({u, v}));
            if (kept_.task == HOLD_HOME) break;
            kept_.task = GATHER;  // it should block a hill, but there is none in this corner
            if (kept_.sure) {     // the heap is empty: ignore its old marks
                kept_.heapU = kept_.goalU;
                kept_.heapV = kept_.goalV;
            }
            choose();
        }
        return only(PUT);
    }

    int corner() const { return kept_.right + 2 * kept_.lower; }

    const AntSensor& seen(Step step) const {
        return sensors_[kept_.right ? 1 - step.u : 1 + step.u][kept_.lower ? 1 - step.v : 1 + step.v];
    }

    /// The next step on a way, along its longer side first.
    static Step ahead(Step all) {
        const bool alongU = all.u * all.u >= all.v * all.v;
        return alongU ? Step{sign(all.u), 0} : Step{0, sign(all.v)};
    }

    /// The next move on a way; updates the position.
    AntActionType towards(Step all) {
        const Step step = ahead(all);
        kept_.u = static_cast<unsigned char>(kept_.u + step.u);
        kept_.v = static_cast<unsigned char>(kept_.v + step.v);
        return way(step);
    }

    AntActionType way(Step step) const {
        if (step.u != 0) return (step.u < 0) != (kept_.right != 0) ? MOVE_LEFT : MOVE_RIGHT;
        return (step.v < 0) != (kept_.lower != 0) ? MOVE_UP : MOVE_DOWN;
    }

    static AntAction only(AntActionType type) { return {type, false, 0}; }

    Kept& kept_;
    AntSensor (*sensors_)[3];
    bool carries_;
};

}  // namespace

const char* GetTeamName() { return "Sentinel"; }

AntAction GetAction(const Ant& ant, AntSensor sensors[3][3]) { return Mind(ant, sensors).decide(); }
