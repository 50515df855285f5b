// Write a SnakeCore bot in C++: this one file, nothing else to install (C++17 or newer).
//
// A complete bot, which collects blocks and delivers when it has four:
//
//     #include "Snake.h"
//     using namespace snake;
//
//     char choose(const AreaInfo& area) {
//         if (area.me().length() > 4 || area.freeBlocks().empty()) return area.stepTowards(area.reactors());
//         return area.stepTowards(area.freeBlocks());
//     }
//
//     int main() { run("Ten Lines", choose); }
//
// Cells are pairs x, y: x grows to the right, y grows DOWNWARDS, (0, 0) is the top left. So 'U' is y - 1, 'D' is y + 1.
// Rule numbers are those that `referee rules` prints. Nothing here is random: equal boards give equal answers.
// Invalid calls throw std::invalid_argument; an unknown index of a python throws std::out_of_range.

#ifndef SNAKE_H
#define SNAKE_H

#include <algorithm>
#include <array>
#include <charconv>
#include <chrono>
#include <cstddef>
#include <cstdio>
#include <functional>
#include <iostream>
#include <map>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <system_error>
#include <tuple>
#include <utility>
#include <vector>

#if defined(__unix__) || defined(__APPLE__)
#include <unistd.h>
#define SNAKE_HAS_DESCRIPTORS 1
#else
#define SNAKE_HAS_DESCRIPTORS 0
#endif

namespace snake {

/// The six letters that `choose` may return (rule 8).
inline constexpr std::string_view ACTIONS = "ULDRNA";

/// The four moves. Ties between equally good paths are broken in this order.
inline constexpr std::string_view DIRECTIONS = "ULDR";

/// Readable names for the six letters.
struct Action {
    static constexpr char UP = 'U', LEFT = 'L', DOWN = 'D', RIGHT = 'R', WAIT = 'N', SHIELD = 'A';
};

/// A place on the field. Cells are ordered by x, then by y.
struct Cell {
    int x = 0, y = 0;

    friend constexpr bool operator==(Cell a, Cell b) { return a.x == b.x && a.y == b.y; }
    friend constexpr bool operator!=(Cell a, Cell b) { return !(a == b); }
    friend constexpr bool operator<(Cell a, Cell b) { return a.x != b.x ? a.x < b.x : a.y < b.y; }
    friend std::ostream& operator<<(std::ostream& out, Cell cell) { return out << cell.x << ',' << cell.y; }
};

namespace detail {

/// A character for a message; `what()` ends at a NUL.
inline std::string shown(char letter) {
    const auto byte = static_cast<unsigned char>(letter);
    return byte > 0x1F && byte < 0x7F ? std::string("'") + letter + "'" : "the byte " + std::to_string(byte);
}

}  // namespace detail

/// The cell one step from `cell`, possibly off the field.
/// Throws: std::invalid_argument, for a direction other than U L D R.
inline Cell neighbour(Cell cell, char direction) {
    switch (direction) {
        case 'U': return {cell.x, cell.y - 1};
        case 'L': return {cell.x - 1, cell.y};
        case 'D': return {cell.x, cell.y + 1};
        case 'R': return {cell.x + 1, cell.y};
        default: throw std::invalid_argument(detail::shown(direction) + " is not one of U L D R N A");
    }
}

/// The kind of an action's outcome (rules 8-15).
enum class Kind { Move, Eat, Bite, Deliver, Shield, Wait, Skip };

/// The obstacle that makes an action a skip.
enum class Why { None, Edge, Wall, Head, Tail, Shield, NoEnergy };

/// "move", "eat", "bite", "deliver", "shield", "wait" or "skip".
inline std::string_view text(Kind kind) {
    constexpr std::array<std::string_view, 7> words = {"move", "eat", "bite", "deliver", "shield", "wait", "skip"};
    return words[static_cast<std::size_t>(kind)];
}

/// "edge", "wall", "head", "tail", "shield" or "no-energy"; "" for None.
inline std::string_view text(Why why) {
    constexpr std::array<std::string_view, 7> words = {"", "edge", "wall", "head", "tail", "shield", "no-energy"};
    return words[static_cast<std::size_t>(why)];
}

inline std::ostream& operator<<(std::ostream& out, Kind kind) { return out << text(kind); }
inline std::ostream& operator<<(std::ostream& out, Why why) { return out << text(why); }

/// What an action would do (rules 8-15).
struct Outcome {
    Kind kind = Kind::Skip;
    /// The cell that the action aims at, possibly off the field; the head's own cell for 'N' and 'A'.
    Cell target{};
    /// The points that it scores; 0 for a bite into its own body and for a delivery without a body.
    long long points = 0;
    /// For a skip, the obstacle; otherwise None.
    Why why = Why::None;
    /// For a bite, the index of the bitten python (possibly the biter itself); otherwise empty.
    std::optional<int> victim = std::nullopt;
};

/// One python.
struct Python {
    /// Its index in `AreaInfo::pythons`; 0 is me, the others follow in the order of their moves.
    int index = 0;
    /// The remaining turns of protection, as in the request. My counter has already been decreased for this turn; the
    /// others' are decreased when their turns begin (rule 7). Above 0, this python cannot be bitten.
    int shield = 0;
    /// The head first, the tail last.
    std::vector<Cell> cells{};
    /// The kinds of the body in the same order: 'b' and 'e'.
    std::string blocks{};

    Cell head() const { return cells.front(); }
    /// The cell of the last block, or of the head if there is no body.
    Cell tail() const { return cells.back(); }
    /// The cells of the blocks, from the one behind the head to the tail.
    std::vector<Cell> body() const { return {cells.begin() + 1, cells.end()}; }
    /// Head and blocks together: 1 for a head alone (rule 5).
    int length() const { return static_cast<int>(cells.size()); }
    /// The number of energy blocks in its body, which is how many shields it can still raise.
    int energy() const { return static_cast<int>(std::count(blocks.begin(), blocks.end(), 'e')); }
    /// Points for delivering the whole body now: n(n + 1)/2 for n blocks (rule 13).
    long long value() const {
        const auto count = static_cast<long long>(blocks.size());
        return count * (count + 1) / 2;
    }
};

/// The number of moves from one cell to the others; made by `AreaInfo::distances`.
class Distances {
public:
    /// The moves to that cell; -1 if it is unreachable or off the field.
    int operator[](Cell cell) const {
        if (cell.x < 0 || cell.y < 0 || cell.x >= size_ || cell.y >= size_) return -1;
        return moves_[static_cast<std::size_t>((cell.y + 1) * (size_ + 2) + cell.x + 1)];
    }
    bool contains(Cell cell) const { return (*this)[cell] >= 0; }
    /// All reachable cells, the nearest first; the first one is the start itself.
    std::vector<Cell> cells() const {
        std::vector<Cell> reached;
        reached.reserve(spots_.size());
        for (int spot : spots_) reached.push_back({spot % (size_ + 2) - 1, spot / (size_ + 2) - 1});
        return reached;
    }

private:
    friend class AreaInfo;
    int size_ = 0;
    std::vector<int> moves_{};  // for each spot of the framed field
    std::vector<int> spots_{};  // in the order in which they were reached
};

/// The board of one request, with queries about it. Boards never change: `after` returns a new one.
///
/// References that a board returns live as long as the board. A board may be copied, moved and kept. It caches its
/// answers, so two threads must not use the same board at once.
class AreaInfo {
public:
    /// The board of a request given as text: n, n rows, a line for each `p` on the map.
    /// A first line `getAction` is optional, and line ends may be CRLF. All characters except W R b e p mean empty
    /// cells.
    /// Throws: std::invalid_argument, if lines or numbers are missing or a python lies off the field.
    static AreaInfo parse(std::string_view request);

    /// The board's rows as in the request; `std::cout << area` prints them (to stderr while `run` is running).
    std::string text() const;
    friend std::ostream& operator<<(std::ostream& out, const AreaInfo& area) { return out << area.text(); }

    /// The field has size x size cells.
    int size() const { return size_; }
    /// The number of getAction requests so far, including this one.
    int turn() const { return turn_; }

    // Time, in seconds. The protocol sends no clocks, so the SDK measures, from the first request on.

    /// The time left of the 120 s for all my answers.
    double timeLeft() const { return std::chrono::duration<double>(totalEnds_ - Clock::now()).count(); }
    /// The time left for this answer, of 1 s (15 s for the first answer).
    double answerTimeLeft() const {
        return std::min(std::chrono::duration<double>(answerEnds_ - Clock::now()).count(), timeLeft());
    }

    // The pythons. A temporary board returns copies, as in `area.after('U').me()`.

    /// All pythons: me first, then the others in the order in which they move after me.
    const std::vector<Python>& pythons() const& { return pythons_; }
    std::vector<Python> pythons() && { return std::move(pythons_); }

    const Python& me() const& { return pythons_.at(0); }
    Python me() && { return std::move(pythons_.at(0)); }

    /// All pythons except me. Those of disqualified players stay, but no longer move (rule 17).
    std::vector<Python> rivals() const { return {pythons_.begin() + (pythons_.empty() ? 0 : 1), pythons_.end()}; }

    const std::vector<Cell>& reactors() const& {
        if (!reactors_) reactors_ = cellsWith([this](std::size_t spot) { return field_[spot] == 'R'; });
        return *reactors_;
    }
    std::vector<Cell> reactors() && { return std::as_const(*this).reactors(); }

    /// The free blocks of both kinds, row by row.
    const std::vector<Cell>& freeBlocks() const& {
        if (!freeBlocks_) {
            const std::vector<int>& parts = this->parts();
            freeBlocks_ = cellsWith([&](std::size_t spot) { return isBlockKind(field_[spot]) && parts[spot] < 0; });
        }
        return *freeBlocks_;
    }
    std::vector<Cell> freeBlocks() && { return std::as_const(*this).freeBlocks(); }

    /// The free energy blocks.
    const std::vector<Cell>& freeEnergy() const& {
        if (!freeEnergy_) {
            const std::vector<int>& parts = this->parts();
            freeEnergy_ = cellsWith([&](std::size_t spot) { return field_[spot] == 'e' && parts[spot] < 0; });
        }
        return *freeEnergy_;
    }
    std::vector<Cell> freeEnergy() && { return std::as_const(*this).freeEnergy(); }

    /// The python whose head or block occupies the cell; nullptr for a free block or anything else.
    const Python* owner(Cell cell) const& {
        const int index = partAt(cell);
        return index < 0 ? nullptr : &pythons_[static_cast<std::size_t>(index)];
    }
    const Python* owner(Cell cell) && = delete;  // keep the board in a variable, since the python belongs to it

    // The content of a cell. All are false off the field.

    bool isInside(Cell cell) const { return cell.x >= 0 && cell.y >= 0 && cell.x < size_ && cell.y < size_; }
    bool isWall(Cell cell) const { return at(cell) == 'W'; }
    bool isReactor(Cell cell) const { return at(cell) == 'R'; }
    bool isEmpty(Cell cell) const { return at(cell) == '.'; }
    bool isHead(Cell cell) const { return at(cell) == 'p'; }
    /// A block of any kind, free or linked.
    bool isBlock(Cell cell) const { return isBlockKind(at(cell)); }
    /// An energy block, free or linked.
    bool isEnergy(Cell cell) const { return at(cell) == 'e'; }
    /// A block that is part of a python's body (rule 3).
    bool isLinked(Cell cell) const { return isBlock(cell) && partAt(cell) >= 0; }
    /// A free block of any kind, which can be eaten.
    bool isFreeBlock(Cell cell) const { return isBlock(cell) && partAt(cell) < 0; }

    // Actions, by the rules

    /// What `action` of the python with that index (0: me) would do now, by rules 8-15.
    /// Throws: std::invalid_argument, if the action is not one of U L D R N A.
    Outcome outcome(char action, int python = 0) const;

    /// Whether the head would move there, by a move, a meal or a bite. A head never enters a reactor: see `outcome`.
    bool canMove(char direction, int python = 0) const {
        const Kind kind = outcome(direction, python).kind;
        return kind == Kind::Move || kind == Kind::Eat || kind == Kind::Bite;
    }

    /// The board after that action of that python. My index stays 0.
    ///
    /// Blocks that would return (delivered, or used for a shield) are missing, since chance decides where (rule 16).
    /// Shield clocks are updated. The board of a request is in the middle of my turn; every other call of `after`
    /// begins a turn of its python, so its counter is decreased first (rule 7). For points, see `outcome`.
    /// Throws: std::invalid_argument, if the action is not one of U L D R N A.
    AreaInfo after(char action, int python = 0) const;

    // Paths. They lead through empty cells, free blocks and my own tail. Anything else except a wall can only be their
    // end.

    /// The number of moves from `start` to each reachable cell, if all others stand still.
    /// Reactors, heads and linked blocks also have a distance, as ends of paths: the third move delivers to a reactor
    /// at distance 3. The result is kept for the next call.
    /// Throws: std::invalid_argument, if `start` is off the field.
    const Distances& distances(Cell start) const& { return search(start).distances; }
    Distances distances(Cell start) && { return search(start).distances; }

    /// A shortest path from my head: its cells, without the head's and with `to`; empty if there is none.
    std::vector<Cell> path(Cell to) const { return path(to, me().head()); }

    /// A shortest path from `start`: its cells, without `start` and with `to`; empty if there is none.
    /// Throws: std::invalid_argument, if `start` is off the field.
    std::vector<Cell> path(Cell to, Cell start) const;

    /// The direction of my first move to the nearest of the cells; 'N' if none is reachable or I am already there.
    char stepTowards(const std::vector<Cell>& cells) const;

    /// The direction of my first move to the first reachable goal; `anyMove` if there is none.
    ///
    /// Each goal is a group of cells, the most important first: `area.firstStep(area.freeBlocks(), area.reactors())`.
    /// The next group counts only if no cell of a group is reachable. Within a group, the nearest cell counts.
    template <class... Goals>
    char firstStep(const std::vector<Cell>& goal, const Goals&... others) const {
        const char step = stepTowards(goal);
        return step != 'N' ? step : firstStep(others...);
    }
    char firstStep() const { return anyMove(); }

    /// The same for a list of goals.
    char firstStep(const std::vector<std::vector<Cell>>& goals) const {
        for (const std::vector<Cell>& goal : goals) {
            if (const char step = stepTowards(goal); step != 'N') return step;
        }
        return anyMove();
    }

    /// A direction in which my head can move: to an empty cell or my tail, or else to a free block, or else by a bite.
    /// So a python without a goal keeps moving, and a trapped one bites its way out. 'N' if no move is possible.
    char anyMove() const;

private:
    using Clock = std::chrono::steady_clock;
    friend void run(const std::string& name, const std::function<char(const AreaInfo&)>& choose);

    struct Search {
        Distances distances{};
        std::vector<int> before{};  // the spot before each spot on a shortest path; 0: not reached
    };

    static constexpr double FIRST_LIMIT = 15.0, ANSWER_LIMIT = 1.0, TOTAL_LIMIT = 120.0;  // seconds, rule 18
    static constexpr int SHIELD_TURNS = 10;                                              // rule 14
    static constexpr int NOBODY = -1;
    static constexpr char BLOCKED = 0, THROUGH = 1, END = 2;

    /// `field`: a character for each cell, row by row, inside a frame of zeros; its indices are called spots.
    AreaInfo(int size, std::string field, std::vector<Python> pythons)
        : size_(size), field_(std::move(field)), pythons_(std::move(pythons)) {
        setClocks(ANSWER_LIMIT, TOTAL_LIMIT);
    }

    /// The board after a `getAction` line; nothing if the input ends within it (`readLine` returns false).
    template <class ReadLine>
    static std::optional<AreaInfo> read(ReadLine readLine);

    static bool isBlockKind(char what) { return what == 'b' || what == 'e'; }
    static std::vector<std::string_view> wordsOf(std::string_view line);
    static std::vector<int> numbersOf(std::string_view line);

    void setClocks(double answer, double total) {
        const auto now = Clock::now();
        answerEnds_ = now + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(answer));
        totalEnds_ = now + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(total));
    }

    std::size_t spotOf(Cell cell) const { return static_cast<std::size_t>((cell.y + 1) * (size_ + 2) + cell.x + 1); }
    char at(Cell cell) const { return isInside(cell) ? field_[spotOf(cell)] : '\0'; }
    int partAt(Cell cell) const { return isInside(cell) ? parts()[spotOf(cell)] : NOBODY; }
    const Python& python(int index) const { return pythons_.at(static_cast<std::size_t>(index)); }
    int shieldAtTurn(const Python& python) const {
        return ticked_ == python.index ? python.shield : std::max(0, python.shield - 1);
    }

    template <class Wanted>
    std::vector<Cell> cellsWith(Wanted wanted) const;
    const std::vector<int>& parts() const;
    const std::string& ways() const;
    const Search& search(Cell start) const;

    int size_;
    std::string field_;
    std::vector<Python> pythons_;
    int turn_ = 1;
    int ticked_ = 0;  // the python whose shield clock is already decreased for a turn not yet played
    Clock::time_point answerEnds_{}, totalEnds_{};

    // Cached results
    mutable std::optional<std::vector<Cell>> reactors_{}, freeBlocks_{}, freeEnergy_{};
    mutable std::vector<int> parts_{};            // for each spot the index of its python
    mutable std::string ways_{};                  // for each spot BLOCKED, THROUGH or END
    mutable std::map<std::size_t, Search> searches_{};  // by the spot of their start
};

/// Answers the referee until it closes the input: getName with `name`, getAction with `choose(area)`.
///
/// While this runs, output to std::cout (on Unix and macOS also by printf) goes to stderr, the player's log: only
/// answers go to the real stdout. Exceptions of `choose` are not caught: the program ends with a message on stderr and
/// a status other than 0, which disqualifies. The name is sent unchanged, so save the source as UTF-8.
/// Throws: std::invalid_argument, for a name longer than 32 characters or with control characters in it, for an answer of
/// `choose` that is not one of U L D R N A, and for a request that is malformed or neither getName nor getAction.
inline void run(const std::string& name, const std::function<char(const AreaInfo&)>& choose);

// ---------------------------------------------------------------------------------------------------------------------
// The rest is the implementation.

inline Outcome AreaInfo::outcome(char action, int python) const {
    const Python& mover = this->python(python);
    if (action == 'N') return {Kind::Wait, mover.head()};
    if (action == 'A') {
        if (mover.energy() > 0) return {Kind::Shield, mover.head()};
        return {Kind::Skip, mover.head(), 0, Why::NoEnergy};
    }
    const Cell target = neighbour(mover.head(), action);
    switch (at(target)) {
        case '.': return {Kind::Move, target};
        case 'R': return {Kind::Deliver, target, mover.value()};
        case '\0': return {Kind::Skip, target, 0, Why::Edge};
        case 'W': return {Kind::Skip, target, 0, Why::Wall};
        case 'p': return {Kind::Skip, target, 0, Why::Head};
        default: break;
    }
    for (const Python& owner : pythons_) {
        const auto bitten = std::find(owner.cells.begin(), owner.cells.end(), target);
        if (bitten == owner.cells.end()) continue;
        const bool own = &owner == &mover;
        if (target == owner.tail()) {  // its own tail moves away in time (rule 12); a rival's cannot be bitten
            return own ? Outcome{Kind::Move, target} : Outcome{Kind::Skip, target, 0, Why::Tail};
        }
        if ((own ? shieldAtTurn(owner) : owner.shield) != 0) return {Kind::Skip, target, 0, Why::Shield};
        return {Kind::Bite, target, own ? 0 : owner.cells.end() - bitten, Why::None, owner.index};
    }
    return {Kind::Eat, target};
}

inline AreaInfo AreaInfo::after(char action, int python) const {
    const Outcome done = outcome(action, python);
    AreaInfo next(size_, field_, pythons_);
    next.turn_ = turn_;
    next.ticked_ = NOBODY;
    next.answerEnds_ = answerEnds_;
    next.totalEnds_ = totalEnds_;
    if (done.victim) {
        Python& loser = next.pythons_[static_cast<std::size_t>(*done.victim)];
        const auto bitten = std::find(loser.cells.begin(), loser.cells.end(), done.target);
        loser.blocks.resize(static_cast<std::size_t>(bitten - loser.cells.begin() - 1));
        loser.cells.erase(bitten, loser.cells.end());
    }
    Python& mover = next.pythons_[static_cast<std::size_t>(python)];
    mover.shield = shieldAtTurn(mover);
    for (Cell cell : mover.cells) next.field_[spotOf(cell)] = '.';
    switch (done.kind) {
        case Kind::Move:
            mover.cells.insert(mover.cells.begin(), done.target);
            mover.cells.pop_back();
            break;
        case Kind::Eat:
        case Kind::Bite:
            mover.cells.insert(mover.cells.begin(), done.target);
            mover.blocks.insert(mover.blocks.begin(), field_[spotOf(done.target)]);
            break;
        case Kind::Deliver:
            mover.cells.resize(1);
            mover.blocks.clear();
            break;
        case Kind::Shield:  // removes the energy block nearest to the head, and the chain closes up (rule 14)
            mover.cells.pop_back();
            mover.blocks.erase(mover.blocks.find('e'), 1);
            mover.shield += SHIELD_TURNS;
            break;
        case Kind::Wait:
        case Kind::Skip: break;
    }
    next.field_[spotOf(mover.head())] = 'p';
    for (std::size_t place = 0; place < mover.blocks.size(); ++place) {
        next.field_[spotOf(mover.cells[place + 1])] = mover.blocks[place];
    }
    return next;
}

inline std::vector<Cell> AreaInfo::path(Cell to, Cell start) const {
    const Search& found = search(start);
    std::vector<Cell> way;
    const int width = size_ + 2;
    while (to != start && found.distances.contains(to)) {
        way.push_back(to);
        const int spot = found.before[spotOf(to)];
        to = {spot % width - 1, spot / width - 1};
    }
    std::reverse(way.begin(), way.end());
    return way;
}

inline char AreaInfo::stepTowards(const std::vector<Cell>& cells) const {
    const Cell head = me().head();
    const Distances& moves = distances(head);
    std::optional<std::pair<int, Cell>> nearest;
    for (Cell cell : cells) {
        if (!moves.contains(cell)) continue;
        const std::pair<int, Cell> candidate(moves[cell], cell);
        if (!nearest || candidate < *nearest) nearest = candidate;
    }
    const std::vector<Cell> way = nearest ? path(nearest->second) : std::vector<Cell>();
    for (char direction : DIRECTIONS) {
        if (!way.empty() && neighbour(head, direction) == way.front()) return direction;
    }
    return 'N';
}

inline char AreaInfo::anyMove() const {
    for (Kind kind : {Kind::Move, Kind::Eat, Kind::Bite}) {
        for (char direction : DIRECTIONS) {
            if (outcome(direction).kind == kind) return direction;
        }
    }
    return 'N';
}

inline const AreaInfo::Search& AreaInfo::search(Cell start) const {
    if (!isInside(start)) {
        throw std::invalid_argument("the cell (" + std::to_string(start.x) + ", " + std::to_string(start.y) +
                                    ") is off the field of " + std::to_string(size_) + " x " + std::to_string(size_));
    }
    const std::size_t root = spotOf(start);
    if (const auto known = searches_.find(root); known != searches_.end()) return known->second;
    const std::string& ways = this->ways();
    Search found;
    found.distances.size_ = size_;
    std::vector<int>& moves = found.distances.moves_;
    std::vector<int>& queue = found.distances.spots_;
    std::vector<int>& before = found.before;
    moves.assign(ways.size(), -1);
    before.assign(ways.size(), 0);  // 0 means not reached: spot 0 is in the frame
    queue.reserve(ways.size());
    queue.push_back(static_cast<int>(root));
    before[root] = static_cast<int>(root);
    moves[root] = 0;
    const std::array<int, 4> steps = {-(size_ + 2), -1, size_ + 2, 1};  // U L D R
    for (std::size_t next = 0; next < queue.size(); ++next) {
        const int spot = queue[next];
        const auto here = static_cast<std::size_t>(spot);
        if (ways[here] != THROUGH && here != root) continue;
        for (int step : steps) {
            const auto beside = static_cast<std::size_t>(spot + step);
            if (ways[beside] == BLOCKED || before[beside] != 0) continue;
            before[beside] = spot;
            moves[beside] = moves[here] + 1;
            queue.push_back(spot + step);
        }
    }
    return searches_.emplace(root, std::move(found)).first->second;
}

inline const std::string& AreaInfo::ways() const {
    if (!ways_.empty()) return ways_;
    const Python& mine = me();
    ways_.assign(field_.size(), BLOCKED);
    for (std::size_t spot = 0; spot < field_.size(); ++spot) {
        const char what = field_[spot];
        if (what == '.' || isBlockKind(what)) ways_[spot] = THROUGH;
        if (what == 'R') ways_[spot] = END;
    }
    for (const Python& python : pythons_) {
        for (Cell cell : python.cells) ways_[spotOf(cell)] = END;
    }
    if (mine.length() > 1) ways_[spotOf(mine.tail())] = THROUGH;
    return ways_;
}

inline const std::vector<int>& AreaInfo::parts() const {
    if (!parts_.empty()) return parts_;
    parts_.assign(field_.size(), NOBODY);
    for (const Python& python : pythons_) {
        for (Cell cell : python.cells) parts_[spotOf(cell)] = python.index;
    }
    return parts_;
}

template <class Wanted>
std::vector<Cell> AreaInfo::cellsWith(Wanted wanted) const {
    std::vector<Cell> cells;
    for (int y = 0; y < size_; ++y) {
        for (int x = 0; x < size_; ++x) {
            if (wanted(spotOf({x, y}))) cells.push_back({x, y});
        }
    }
    return cells;
}

inline std::string AreaInfo::text() const {
    std::string rows;
    const auto length = static_cast<std::size_t>(size_);
    for (int y = 0; y < size_; ++y) {
        if (y > 0) rows += '\n';
        rows.append(field_, spotOf({0, y}), length);
    }
    return rows;
}

inline AreaInfo AreaInfo::parse(std::string_view request) {
    const auto readLine = [&request](std::string& line) {
        if (request.empty()) return false;
        const std::size_t length = std::min(request.find('\n'), request.size());
        line = request.substr(0, length);
        request.remove_prefix(std::min(length + 1, request.size()));
        return true;
    };
    const std::string_view whole = request;
    std::string first;
    if (!readLine(first) || wordsOf(first) != std::vector<std::string_view>{"getAction"}) request = whole;
    std::optional<AreaInfo> area = read(readLine);
    if (!area) {
        throw std::invalid_argument(
            "the request ends too early: after n must come n rows and one line for each python");
    }
    return std::move(*area);
}

inline std::vector<std::string_view> AreaInfo::wordsOf(std::string_view line) {
    constexpr std::string_view gaps = " \t\n\r\v\f";
    std::vector<std::string_view> words;
    for (std::size_t begin = line.find_first_not_of(gaps); begin < line.size();) {
        const std::size_t end = std::min(line.find_first_of(gaps, begin), line.size());
        words.push_back(line.substr(begin, end - begin));
        begin = line.find_first_not_of(gaps, end);
    }
    return words;
}

inline std::vector<int> AreaInfo::numbersOf(std::string_view line) {
    std::vector<int> numbers;
    for (std::string_view word : wordsOf(line)) {
        const char* const end = word.data() + word.size();
        int number = 0;
        const std::from_chars_result parsed = std::from_chars(word.data(), end, number);
        if (parsed.ec != std::errc() || parsed.ptr != end) {
            throw std::invalid_argument("not a number: '" + std::string(word) + "'");
        }
        numbers.push_back(number);
    }
    return numbers;
}

template <class ReadLine>
std::optional<AreaInfo> AreaInfo::read(ReadLine readLine) {
    std::string line;
    if (!readLine(line)) return std::nullopt;
    const std::vector<int> first = numbersOf(line);
    if (first.size() != 1 || first[0] < 1) {
        throw std::invalid_argument("not the size of a field: '" + line + "'");
    }
    const int size = first[0];
    const auto length = static_cast<std::size_t>(size);
    const std::size_t width = length + 2;
    std::string field(width, '\0');
    for (int y = 0; y < size; ++y) {
        if (!readLine(line)) return std::nullopt;
        line.resize(length, '.');
        for (char& what : line) {
            if (std::string_view("WRbep").find(what) == std::string_view::npos) what = '.';
        }
        field += '\0';
        field += line;
        field += '\0';
    }
    field.append(width, '\0');
    const auto count = static_cast<int>(std::count(field.begin(), field.end(), 'p'));
    std::vector<Python> pythons;
    for (int index = 0; index < count; ++index) {
        if (!readLine(line)) return std::nullopt;
        const std::vector<int> numbers = numbersOf(line);
        const std::size_t given = numbers.size();
        bool right = given >= 4 && given % 2 == 0 && given / 2 - 1 == static_cast<std::size_t>(numbers[1]);
        Python python{index, right ? numbers[0] : 0, {}, {}};
        for (std::size_t place = 2; right && place < given; place += 2) {
            const int x = numbers[place], y = numbers[place + 1];
            right = x >= 0 && y >= 0 && x < size && y < size;
            if (!right) break;
            python.cells.push_back({x, y});
            if (place > 2) python.blocks += field[static_cast<std::size_t>((y + 1) * (size + 2) + x + 1)];
        }
        if (!right) {
            throw std::invalid_argument(
                "not a python's line, which is `shield length x0 y0 x1 y1 ...` with cells on the field: '" + line + "'");
        }
        pythons.push_back(std::move(python));
    }
    return AreaInfo(size, std::move(field), std::move(pythons));
}

namespace detail {

/// Talks to the referee while `run` is running: answers go to the real stdout, all other output to stderr.
class Answers {
public:
    Answers() {
        std::setvbuf(stdout, nullptr, _IOLBF, BUFSIZ);  // the log keeps the output of printf even if the bot crashes
        std::cout.flush();
        std::fflush(stdout);
#if SNAKE_HAS_DESCRIPTORS
        const int descriptor = dup(STDOUT_FILENO);
        stream_ = descriptor < 0 ? nullptr : fdopen(descriptor, "wb");
        if (stream_ == nullptr || dup2(STDERR_FILENO, STDOUT_FILENO) < 0) {
            throw std::runtime_error("stdout or stderr is closed: there is nowhere to answer");
        }
#endif
        printed_ = std::cout.rdbuf(std::cerr.rdbuf());
    }

    ~Answers() {
        std::cout.rdbuf(printed_);
#if SNAKE_HAS_DESCRIPTORS
        std::fflush(stdout);
        dup2(fileno(stream_), STDOUT_FILENO);
        std::fclose(stream_);
#endif
    }

    Answers(const Answers&) = delete;
    Answers& operator=(const Answers&) = delete;

    void send(const std::string& answer) {
        const std::string line = answer + '\n';
        if (std::fwrite(line.data(), 1, line.size(), stream_) != line.size() || std::fflush(stream_) != 0) {
            throw std::runtime_error("the answer could not be written: the referee has closed our output");
        }
    }

private:
    std::FILE* stream_ = stdout;
    std::streambuf* printed_ = nullptr;
};

/// The next line of stdin without its line end; false at the end of the input.
inline bool readLine(std::string& line) {
    line.clear();
    for (int letter = std::getc(stdin); letter != EOF; letter = std::getc(stdin)) {
        if (letter == '\n') {
            while (!line.empty() && line.back() == '\r') line.pop_back();
            return true;
        }
        line += static_cast<char>(letter);
    }
    return !line.empty();
}

/// How many characters of UTF-8 a name has.
inline std::size_t lengthOf(const std::string& name) {
    std::size_t length = 0;
    for (const char byte : name) length += (byte & 0xC0) != 0x80;
    return length;
}

inline void checkName(const std::string& name) {
    if (const std::size_t length = lengthOf(name); length > 32) {
        throw std::invalid_argument("the name '" + name + "' is longer than 32 characters: " + std::to_string(length));
    }
    for (std::size_t place = 0; place < name.size(); ++place) {
        const auto byte = static_cast<unsigned char>(name[place]);
        const auto next = static_cast<unsigned char>(place + 1 < name.size() ? name[place + 1] : 0);
        // In UTF-8 the control characters U+0080 to U+009F begin with the byte C2.
        if (byte < 0x20 || byte == 0x7F || (byte == 0xC2 && next >= 0x80 && next < 0xA0)) {
            throw std::invalid_argument("the name '" + name + "' contains a control character");
        }
    }
}

}  // namespace detail

inline void run(const std::string& name, const std::function<char(const AreaInfo&)>& choose) {
    using Clock = std::chrono::steady_clock;
    detail::checkName(name);
    detail::Answers answers;
    int turn = 0;
    double spent = 0.0, limit = AreaInfo::FIRST_LIMIT;
    for (std::string request; detail::readLine(request);) {
        const auto began = Clock::now();
        std::string answer = name;
        if (request == "getAction") {
            std::optional<AreaInfo> area = AreaInfo::read(detail::readLine);
            if (!area) return;
            area->turn_ = ++turn;
            area->setClocks(limit, AreaInfo::TOTAL_LIMIT - spent);
            answer = choose(*area);
            if (ACTIONS.find(answer[0]) == std::string_view::npos) {
                throw std::invalid_argument("choose must return one of U L D R N A, it returned " + detail::shown(answer[0]));
            }
        } else if (request != "getName") {
            throw std::invalid_argument("the referee sent an unknown request: '" + request + "'");
        }
        answers.send(answer);
        spent += std::chrono::duration<double>(Clock::now() - began).count();
        limit = AreaInfo::ANSWER_LIMIT;
    }
}

}  // namespace snake

/// The contest's rules call the class by this name alone.
using snake::AreaInfo;

#endif
