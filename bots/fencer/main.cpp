// Fencer: thrust and parry.
//
// 1. It plays each of its actions on the board, lets every rival reply with what is best for that rival, and looks at
//    its own best action after that. What the boards at the end are worth decides.
// 2. A board is worth the same to everybody: the blocks aboard, the best of three plans (eat, bite, deliver), less the
//    worst bite that threatens. So rivals are taken to think as the fencer does.
// 3. Chains run on while somebody comes to bite them: with each move of the way one block less lies behind the cell
//    that is aimed at, and a tail cannot be bitten. That tells a real threat from a body that will have gone.
// 4. n blocks deliver n(n + 1)/2 points, (n + 1)/2 for each: so a block counts what it will bring when as many are
//    aboard as the next delivery is aimed at, and delivering gains when there are more.
// 5. Every plan goes on with a tour of the blocks near its end. What a tour brings is worked out once a turn for each
//    cell that it can start from, so that a plan gains steadily on the way to it, and the fencer does not waver.
//
// All limits are numbers of moves, never times: a slow machine answers as a fast one does.

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

// Turns kept in hand for the last way home; a long body winds, so a part of its length comes on top.
constexpr int SPARE = 8;

// How many blocks a delivery is aimed at: without a shield at hand, and more for each at hand.
constexpr double AIM = 12, AIM_PER_SHIELD = 2;

// It aims at no more than this share of its own and the free blocks: the last ones take too long to find.
constexpr double SHARE = 0.6;

// What a move of delay leaves of a gain.
constexpr double FADE = 0.94;

// What each move of the way leaves of the hope to bite: prey sees it coming, turns round, raises shields.
constexpr double CATCH = 0.35;

// How likely a rival that can bite at once is taken to do it, and what each move of its way leaves of that.
constexpr double FEAR = 0.8, DREAD = 0.5;

// What a turn of waiting costs, in blocks: whoever lies in wait for a mistake may wait for ever.
constexpr double WAIT = 0.3;

// What part of the blocks that fall off behind a bite the biter will get to eat.
constexpr double SPOILS = 0.5;

// Bites are looked for within so many moves, and a tour has so many blocks.
constexpr int REACH = 8, TOUR = 6;

// What is left of the plan to eat a block when somebody else is nearer to it; and what an energy block counts for.
constexpr double CONTESTED = 0.45, ENERGY = 1.15;

/// What so many moves leave of a hope, if each of them leaves so much; nobody plans further ahead than the table.
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

/// The prospects of one turn: what holds for all boards that are looked at in it.
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

    /// What the action is worth to me, rivals' replies and my next action included.
    double value(char action) const {
        AreaInfo board = area_.after(action);
        for (int rival = 1; rival < static_cast<int>(board.pythons().size()); ++rival) {
            board = board.after(bestReply(board, rival), rival);
        }
        return scored(area_, action, 0) + bestNext(board);
    }

private:
    /// What is best for that rival, were it the last one to move.
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

    /// What my best action on that board gains.
    double bestNext(const AreaInfo& board) const {
        double most = gained(board, 'N', 0);
        for (char action : ACTIONS) {
            if (action == 'N' || board.outcome(action).kind == Kind::Skip) continue;
            most = std::max(most, gained(board, action, 0));
        }
        return most;
    }

    /// What an action of a python scores, and what the board after it is worth to the same.
    double gained(const AreaInfo& board, char action, int python) const {
        return scored(board, action, python) + worth(board.after(action, python), python);
    }

    /// The points of the action alone, less what waiting costs.
    double scored(const AreaInfo& board, char action, int python) const {
        const Outcome outcome = board.outcome(action, python);
        return static_cast<double>(outcome.points) - (outcome.kind == Kind::Wait ? WAIT * block_ : 0.0);
    }

    /// What a board is worth to a python, in points.
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

    /// The hunt: what the best bite of one python into another brings, and the tour from there.
    double bestBite(const AreaInfo& board, const Python& biter, const Python& prey) const {
        double best = 0.0;
        eachBite(board, biter, prey, [&](Cell cell, int moves, int lost) {
            const double gain = lost + block_ * (1 + SPOILS * (lost - 1));
            best = std::max(best, CAUGHT.after(moves - 1) * gain + FADED.after(moves) * onwards(cell));
        });
        return best;
    }

    /// The threat: what the worst bite of one python into another would cost the bitten one.
    double worstBite(const AreaInfo& board, const Python& biter, const Python& prey) const {
        double worst = 0.0;
        eachBite(board, biter, prey, [&](Cell, int moves, int lost) {
            worst = std::max(worst, FEAR * DREADED.after(moves - 1) * block_ * lost);
        });
        return worst;
    }

    /// Call `visit(cell, moves, lost)` for each bite within reach: the moves to it, and the blocks lost by then.
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

    /// The delivery: what it gains over keeping the blocks aboard, and the tour from the reactor.
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

    /// The meal: what the best first block brings, and the tour from there.
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

    /// What a tour brings that starts from that cell, always to the nearest block, on the board of this turn.
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

    /// Whether somebody else can be there before so many moves are over.
    static bool isContested(const std::vector<const Distances*>& theirs, Cell cell, int moves) {
        return std::any_of(theirs.begin(), theirs.end(), [cell, moves](const Distances* ways) {
            return ways->contains(cell) && (*ways)[cell] < moves;
        });
    }

    /// Moves from my head to the nearest reactor, the delivering one included; 0 when there is no way now.
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
