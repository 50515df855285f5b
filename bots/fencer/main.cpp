// Fencer: thrust and parry.
//
// 1. It tries each of its actions, lets every rival give its best reply, and then looks at its own best action. The worth of
//    the final boards decides.
// 2. The worth of a board has the same formula for every python: its load and the best of three plans (eat, bite, deliver),
//    minus the worst threatening bite. So the fencer assumes that rivals think as it does.
// 3. Bodies move on while a biter approaches: with each of its moves, one block less is behind the target cell, and a tail
//    cannot be bitten. This separates real threats from bodies that will be gone.
// 4. A delivery of n blocks scores n(n + 1)/2 points, (n + 1)/2 for each. So the worth of a block depends on the target of
//    the next delivery, and delivering gains if the load exceeds the target.
// 5. Every plan continues with a tour of the blocks near its end. The gain of a tour is computed once a turn for each start
//    cell, so a plan becomes steadily better on the way, and the fencer does not waver.
//
// All limits are numbers of moves, never times: slow and fast machines give the same answers.

#include <algorithm>
#include <array>
#include <cstddef>
#include <map>
#include <vector>

#include "Snake.h"

using namespace snake;

namespace {

// The protocol does not say how long a game is; this is the usual length.
constexpr int ROUNDS = 300;

// Turns reserved for the last trip home, plus a part of the length, because a long body winds.
constexpr int SPARE = 8;

// The target load of a delivery: without a shield available, and more for each available shield.
constexpr double AIM = 12, AIM_PER_SHIELD = 2;

// The target is at most this share of its own and the free blocks, because the last ones take too long to find.
constexpr double SHARE = 0.6;

// The share of a gain that remains after a move of delay.
constexpr double FADE = 0.94;

// The share of a hunt's gain that remains after each move: prey turns round and raises shields.
constexpr double CATCH = 0.35;

// The assumed probability that a rival bites if it can do so immediately, and the share that remains for each move before.
constexpr double FEAR = 0.8, DREAD = 0.5;

// The cost of a turn of waiting, in blocks: the rival may never make the mistake that the fencer waits for.
constexpr double WAIT = 0.3;

// The share of the blocks falling off after a bite that the biter eats.
constexpr double SPOILS = 0.5;

// The range of bites in moves, and the number of blocks in a tour.
constexpr int REACH = 8, TOUR = 6;

// The worth of a block to which another python is nearer, and of an energy block.
constexpr double CONTESTED = 0.45, ENERGY = 1.15;

/// The share that remains after a number of moves; no plan is longer than the table.
class Decay {
public:
    constexpr explicit Decay(double each) {
        double left = 1.0;
        for (double& entry : left_) {
            entry = left;
            left *= each;
        }
    }
    double after(int moves) const { return left_[static_cast<std::size_t>(std::min(moves, LAST))]; }

private:
    static constexpr int LAST = 127;
    std::array<double, LAST + 1> left_{};
};

constexpr Decay FADED(FADE), CAUGHT(CATCH), DREADED(DREAD);

/// Data of one turn, shared by all boards.
class Bout {
public:
    explicit Bout(const AreaInfo& area) : area_(area) {
        const Python& me = area.me();
        const auto aboard = static_cast<double>(me.blocks.size());
        const int left = ROUNDS - (area.turn() - 1) % ROUNDS;
        const bool lastCall = left <= movesHome(area) + SPARE + me.length() / 3;
        const double supply = SHARE * (aboard + static_cast<double>(area.freeBlocks().size()));
        aim_ = lastCall ? 0.0 : std::min(AIM + AIM_PER_SHIELD * me.energy(), supply);
        block_ = (aim_ + 1) / 2;
    }

    /// The worth of the action to me, including the rivals' replies and my next action.
    double value(char action) const {
        AreaInfo board = area_.after(action);
        for (int rival = 1; rival < static_cast<int>(board.pythons().size()); ++rival) {
            board = board.after(bestReply(board, rival), rival);
        }
        return scored(area_, action, 0) + bestNext(board);
    }

private:
    /// The best action of that rival if it were the last one to move.
    char bestReply(const AreaInfo& board, int rival) const {
        char best = 'N';
        double most = gained(board, best, rival);
        for (char action : ACTIONS) {
            if (action == 'N' || board.outcome(action, rival).kind == Kind::Skip) continue;
            const double gain = gained(board, action, rival);
            if (gain > most) {
                best = action;
                most = gain;
            }
        }
        return best;
    }

    /// The gain of my best action on that board.
    double bestNext(const AreaInfo& board) const {
        double most = gained(board, 'N', 0);
        for (char action : ACTIONS) {
            if (action == 'N' || board.outcome(action).kind == Kind::Skip) continue;
            most = std::max(most, gained(board, action, 0));
        }
        return most;
    }

    /// The score of a python's action, plus the worth of the board after it to that python.
    double gained(const AreaInfo& board, char action, int python) const {
        return scored(board, action, python) + worth(board.after(action, python), python);
    }

    /// The points of the action alone, minus the cost of waiting.
    double scored(const AreaInfo& board, char action, int python) const {
        const Outcome outcome = board.outcome(action, python);
        return static_cast<double>(outcome.points) - (outcome.kind == Kind::Wait ? WAIT * block_ : 0.0);
    }

    /// The worth of a board to a python, in points.
    double worth(const AreaInfo& board, int python) const {
        const Python& owner = at(board, python);
        const auto aboard = static_cast<double>(owner.blocks.size());
        double plan = std::max(bestMeal(board, owner), bestDelivery(board, owner));
        double threat = 0.0;
        for (const Python& rival : board.pythons()) {
            if (rival.index == python) continue;
            plan = std::max(plan, bestBite(board, owner, rival));
            threat = std::max(threat, worstBite(board, rival, owner));
        }
        return aboard * block_ + plan - threat;
    }

    /// The hunt: the gain of a python's best bite into another, and of the tour from there.
    double bestBite(const AreaInfo& board, const Python& biter, const Python& prey) const {
        double best = 0.0;
        eachBite(board, biter, prey, [&](Cell cell, int moves, int lost) {
            const double gain = lost + block_ * (1 + SPOILS * (lost - 1));
            best = std::max(best, CAUGHT.after(moves - 1) * gain + FADED.after(moves) * onwards(cell));
        });
        return best;
    }

    /// The threat: what a python's worst bite into another costs the bitten one.
    double worstBite(const AreaInfo& board, const Python& biter, const Python& prey) const {
        double worst = 0.0;
        eachBite(board, biter, prey, [&](Cell, int moves, int lost) {
            worst = std::max(worst, FEAR * DREADED.after(moves - 1) * block_ * lost);
        });
        return worst;
    }

    /// Calls `visit(cell, moves, lost)` for each bite within reach: the moves to it, and the blocks lost by then.
    template <class Visit>
    static void eachBite(const AreaInfo& board, const Python& biter, const Python& prey, Visit visit) {
        const Distances& ways = board.distances(biter.head());
        for (int place = 1; place < prey.length() - 1; ++place) {
            const Cell cell = prey.cells[static_cast<std::size_t>(place)];
            const int moves = ways[cell];
            const int lost = prey.length() - place - (moves - 1);
            if (moves > 0 && moves <= REACH && moves > prey.shield && lost > 1) visit(cell, moves, lost);
        }
    }

    /// The delivery: its gain compared with keeping the blocks, and that of the tour from the reactor.
    double bestDelivery(const AreaInfo& board, const Python& owner) const {
        const Distances& ways = board.distances(owner.head());
        const auto aboard = static_cast<double>(owner.blocks.size());
        double best = 0.0;
        for (Cell reactor : board.reactors()) {
            if (!ways.contains(reactor)) continue;
            best = std::max(best, FADED.after(ways[reactor]) * (aboard * (aboard - aim_) / 2 + onwards(reactor)));
        }
        return best;
    }

    /// The meal: the gain of the best first block, and of the tour from there.
    double bestMeal(const AreaInfo& board, const Python& owner) const {
        const Distances& ways = board.distances(owner.head());
        std::vector<const Distances*> theirs;
        for (const Python& rival : board.pythons()) {
            if (rival.index != owner.index) theirs.push_back(&board.distances(rival.head()));
        }
        double best = 0.0;
        for (Cell cell : board.freeBlocks()) {
            const int moves = ways[cell];
            if (moves < 0) continue;
            const double share = isContested(theirs, cell, moves) ? CONTESTED : 1.0;
            best = std::max(best, share * FADED.after(moves) * (blockAt(cell) + onwards(cell)));
        }
        return best;
    }

    /// The gain of a tour from that cell, always to the nearest block, on the board of this turn.
    double onwards(Cell first) const {
        if (const auto known = onwards_.find(first); known != onwards_.end()) return known->second;
        std::vector<Cell> open = area_.freeBlocks();
        open.erase(std::remove(open.begin(), open.end(), first), open.end());
        double gained = 0.0;
        int moves = 0;
        Cell place = first;
        for (int hop = 1; hop < TOUR && !open.empty(); ++hop) {
            const Distances& ways = area_.distances(place);
            const auto nearer = [&ways](Cell a, Cell b) {
                return ways.contains(a) && (!ways.contains(b) || ways[a] < ways[b]);
            };
            const auto next = std::min_element(open.begin(), open.end(), nearer);
            if (!ways.contains(*next)) break;
            place = *next;
            moves += ways[place];
            gained += FADED.after(moves) * blockAt(place);
            open.erase(next);
        }
        return onwards_[first] = gained;
    }

    double blockAt(Cell cell) const { return area_.isEnergy(cell) ? ENERGY * block_ : block_; }

    /// Whether another python can be there in fewer moves.
    static bool isContested(const std::vector<const Distances*>& theirs, Cell cell, int moves) {
        return std::any_of(theirs.begin(), theirs.end(), [cell, moves](const Distances* ways) {
            return ways->contains(cell) && (*ways)[cell] < moves;
        });
    }

    /// Moves from my head to the nearest reactor, including the delivery; 0 if none is reachable now.
    static int movesHome(const AreaInfo& area) {
        const Distances& ways = area.distances(area.me().head());
        int nearest = 0;
        for (Cell reactor : area.reactors()) {
            if (ways.contains(reactor) && (nearest == 0 || ways[reactor] < nearest)) nearest = ways[reactor];
        }
        return nearest;
    }

    static const Python& at(const AreaInfo& board, int python) {
        return board.pythons()[static_cast<std::size_t>(python)];
    }

    const AreaInfo& area_;
    double aim_ = 0.0, block_ = 0.0;
    mutable std::map<Cell, double> onwards_{};
};

char choose(const AreaInfo& area) {
    const Bout bout(area);
    char best = 'N';
    double most = bout.value('N');
    for (char action : ACTIONS) {
        if (action == 'N' || area.outcome(action).kind == Kind::Skip) continue;
        const double value = bout.value(action);
        if (value > most) {
            best = action;
            most = value;
        }
    }
    return best;
}

}  // namespace

int main() { run("Fencer", choose); }
