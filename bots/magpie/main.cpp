// Magpie: keeps a map like Surveyor, but chooses by rate: the promise of a place divided by the steps to it.
//
// 1. The map has its own origin and the cells that the bot has seen. Cells outside the field are walls, and cells with a
//    player are blank.
// 2. The view shows whether the last step succeeded: it fits on the map either at the wanted cell or at the old one. The
//    step can only have failed if a player is beside the wanted cell. If neither fits, the bot begins a new map.
// 3. The promise of a place is its egg, the eggs around it, and the unseen cells in view from there.
// 4. On a blank cell it counters, because most others attack there. On an egg it does nothing, which is how eggs are
//    collected.
// 5. A cell that it could not enter is avoided for a while, half of the time. Random choices depend on the view, so the same
//    requests get the same answers.
// 6. The memory is a few numbers and the map, row by row, three cells per character. If it would be longer than 1024
//    characters, the bot drops the furthest cells.

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdlib>
#include <iostream>
#include <sstream>
#include <string>
#include <vector>

namespace {

constexpr int SIDE = 400;  // cells per side of the map, with room for a field in any direction from its middle
constexpr std::size_t LONGEST = 1024;
constexpr int STAY = 9;
constexpr int SHY = 12;  // the number of turns for which a cell is avoided

constexpr double NEIGHBOUR = 0.25;  // the worth of another egg close to an egg
constexpr double RIVALLED = 0.8;    // the worth of an egg to which another player is nearer
constexpr double NEWS = 0.025;       // the worth of an unseen cell

enum Kind : std::uint8_t { UNSEEN, BLANK, WALL, EGG };

struct Cell {
    int x = 0, y = 0;
    Cell operator+(Cell step) const { return {x + step.x, y + step.y}; }
    bool operator==(Cell other) const { return x == other.x && y == other.y; }
};

// The steps clockwise: the direction of the first is 1.
constexpr std::array<Cell, 8> STEPS{{{-1, -1}, {0, -1}, {1, -1}, {1, 0}, {1, 1}, {0, 1}, {-1, 1}, {-1, 0}}};

int far(Cell one, Cell other) { return std::max(std::abs(one.x - other.x), std::abs(one.y - other.y)); }

using View = std::array<std::string, 5>;

char at(const View& view, Cell step) { return view[step.y + 2][step.x + 2]; }

/// Calls `visit(step)` for every cell of a view, from its middle.
template <typename Visit>
void eachSeen(Visit visit) {
    for (int y = -2; y <= 2; ++y) {
        for (int x = -2; x <= 2; ++x) visit(Cell{x, y});
    }
}

struct Map {
    std::vector<std::uint8_t> cells = std::vector<std::uint8_t>(SIDE * SIDE, UNSEEN);

    static bool holds(Cell cell) { return cell.x >= 0 && cell.y >= 0 && cell.x < SIDE && cell.y < SIDE; }
    Kind at(Cell cell) const { return holds(cell) ? Kind(cells[cell.y * SIDE + cell.x]) : WALL; }
    void set(Cell cell, Kind kind) {
        if (holds(cell)) cells[cell.y * SIDE + cell.x] = kind;
    }
};

/// Everything that is kept from turn to turn.
struct Mind {
    Map map;
    Cell here{SIDE / 2, SIDE / 2};
    int tried = STAY;
    std::uint32_t dice = 1;
    Cell shunned;
    int turns = 0;
};

// ---- The memory (point 6)

const std::string LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

std::string remember(const Mind& mind) {
    int left = mind.here.x, right = mind.here.x, top = mind.here.y, bottom = mind.here.y;
    for (int y = 0; y < SIDE; ++y) {
        for (int x = 0; x < SIDE; ++x) {
            if (mind.map.at({x, y}) == UNSEEN) continue;
            left = std::min(left, x), right = std::max(right, x);
            top = std::min(top, y), bottom = std::max(bottom, y);
        }
    }
    for (;;) {
        std::ostringstream line;
        line << mind.here.x - left << ' ' << mind.here.y - top << ' ' << right - left + 1 << ' ' << mind.tried << ' '
             << mind.dice << ' ' << mind.shunned.x - left << ' ' << mind.shunned.y - top << ' ' << mind.turns << ' ';
        int bits = 0, filled = 0;
        for (int y = top; y <= bottom; ++y) {
            for (int x = left; x <= right; ++x) {
                bits = bits * 4 + mind.map.at({x, y});
                if (++filled == 3) line << LETTERS[bits], bits = filled = 0;
            }
        }
        if (filled > 0) line << LETTERS[bits << 2 * (3 - filled)];
        if (line.str().size() <= LONGEST) return line.str();
        const std::array<int, 4> ways{mind.here.x - left, right - mind.here.x, mind.here.y - top, bottom - mind.here.y};
        const auto furthest = std::max_element(ways.begin(), ways.end()) - ways.begin();
        if (furthest == 0) ++left;
        if (furthest == 1) --right;
        if (furthest == 2) ++top;
        if (furthest == 3) --bottom;
    }
}

/// The mind that left this memory; a new one if the memory is invalid.
Mind recall(const std::string& memory) {
    Mind mind;
    std::istringstream words(memory);
    Cell here, shunned;
    int width = 0, tried = 0, turns = 0;
    std::uint32_t dice = 0;
    std::string packed;
    words >> here.x >> here.y >> width >> tried >> dice >> shunned.x >> shunned.y >> turns >> packed;
    const int rows = width > 0 ? static_cast<int>(packed.size()) * 3 / width : 0;
    const bool sensible = words && tried >= 1 && tried <= STAY && width <= SIDE / 2 && rows <= SIDE / 2 && here.x >= 0 &&
                          here.x < width && here.y >= 0 && here.y < rows && std::abs(shunned.x) < SIDE &&
                          std::abs(shunned.y) < SIDE && turns >= 0 && turns <= SHY &&
                          packed.find_first_not_of(LETTERS) == std::string::npos;
    if (!sensible) return mind;
    // The bot stays in the middle of the map, where there is room around it.
    const Cell origin{SIDE / 2 - here.x, SIDE / 2 - here.y};
    for (int place = 0; place < width * rows; ++place) {
        const auto bits = LETTERS.find(packed[place / 3]);
        mind.map.set(origin + Cell{place % width, place / width}, Kind(bits >> 2 * (2 - place % 3) & 3));
    }
    mind.tried = tried, mind.dice = dice;
    mind.shunned = origin + shunned, mind.turns = turns;
    return mind;
}

// ---- The place (points 1 and 2)

Kind seen(char what) { return what == '#' || what == 'X' ? WALL : what == 'o' ? EGG : BLANK; }

/// How badly a view fits the map at a place: 100 for each impossible cell, 1 for each egg that would have disappeared.
int misfit(const Map& map, const View& view, Cell place) {
    int sum = 0;
    eachSeen([&](Cell step) {
        const Kind old = map.at(place + step), now = seen(at(view, step));
        if (old == UNSEEN) return;
        if ((old == WALL) != (now == WALL) || (old == BLANK && now == EGG)) sum += 100;
        if (old == EGG && now == BLANK) sum += 1;
    });
    return sum;
}

/// Puts the bot and its view onto the map. Returns whether the last step failed.
bool locate(Mind& mind, const View& view) {
    const Cell before = mind.here;
    const Cell last = mind.tried == STAY ? Cell{} : STEPS[mind.tried - 1];
    const Cell wanted = before + last;
    bool someone = false;
    eachSeen([&](Cell step) { someone |= at(view, step) == '*' && !(step == Cell{}) && far(step, last) <= 1; });
    const int here = misfit(mind.map, view, before), there = misfit(mind.map, view, wanted);
    const bool failed = mind.tried != STAY && someone && (at(view, last) == '*' ? here <= there : here < there);
    mind.here = failed ? before : wanted;
    if (misfit(mind.map, view, mind.here) >= 100) {
        mind.map = Map();
        mind.turns = 0;
    }
    eachSeen([&](Cell step) { mind.map.set(mind.here + step, seen(at(view, step))); });
    return failed;
}

// ---- The choice (points 3 to 5)

/// The gain at a place that is `steps` away.
double promise(const Mind& mind, const std::vector<Cell>& rivals, Cell cell, int steps) {
    double sum = 0;
    if (mind.map.at(cell) == EGG) {
        const auto nearer = [&](Cell rival) { return far(rival, cell) < steps; };
        sum = std::any_of(rivals.begin(), rivals.end(), nearer) ? RIVALLED : 1;
    }
    const bool egg = sum > 0;
    eachSeen([&](Cell step) {
        const Cell there = cell + step;
        if (egg && !(there == cell) && mind.map.at(there) == EGG) sum += NEIGHBOUR;
        if (mind.map.at(there) != UNSEEN) return;
        // Cells that seem to be behind a wall, or beyond the border, promise nothing.
        const auto open = [&](Cell next) { return mind.map.at(there + next) == BLANK || mind.map.at(there + next) == EGG; };
        if (std::any_of(STEPS.begin(), STEPS.end(), open)) sum += NEWS;
    });
    return sum;
}

/// The first step to the place with the best rate; STAY if no place promises anything.
int choose(const Mind& mind, const std::vector<Cell>& rivals) {
    struct Way {
        Cell cell;
        int first, steps;
    };
    std::vector<bool> reached(SIDE * SIDE, false);
    const auto mark = [&](Cell cell) -> std::vector<bool>::reference { return reached[cell.y * SIDE + cell.x]; };
    std::vector<Way> ways{{mind.here, STAY, 0}};
    mark(mind.here) = true;
    if (mind.turns > 0 && Map::holds(mind.shunned)) mark(mind.shunned) = true;
    int best = STAY;
    double most = 0;
    for (std::size_t place = 0; place < ways.size(); ++place) {
        const Way way = ways[place];
        if (way.steps > 0) {
            const double rate = promise(mind, rivals, way.cell, way.steps) / way.steps;
            if (rate > most) most = rate, best = way.first;
        }
        for (int turn = 0; turn < 8; ++turn) {
            const Cell there = way.cell + STEPS[turn];
            const Kind kind = mind.map.at(there);
            if ((kind != BLANK && kind != EGG) || mark(there)) continue;
            mark(there) = true;
            ways.push_back({there, way.steps == 0 ? turn + 1 : way.first, way.steps + 1});
        }
    }
    return best;
}

/// A step that no wall blocks.
int anywhere(const Mind& mind) {
    std::vector<int> free;
    for (int turn = 0; turn < 8; ++turn) {
        if (mind.map.at(mind.here + STEPS[turn]) != WALL) free.push_back(turn + 1);
    }
    return free.empty() ? STAY : free[mind.dice / 2 % free.size()];
}

/// The next random state: FNV-1a over the last state and the view.
std::uint32_t thrown(std::uint32_t dice, const View& view) {
    for (const std::string& row : view) {
        for (unsigned char what : row) dice = (dice ^ what) * 16777619U;
    }
    return dice ^ dice >> 15;
}

}  // namespace

int main() {
    View view;
    for (std::string& row : view) {
        std::getline(std::cin, row);
        row.resize(5, ' ');
    }
    std::string memory;
    std::getline(std::cin, memory);

    Mind mind = recall(memory);
    mind.dice = thrown(mind.dice, view);
    if (locate(mind, view) && mind.dice % 2 == 0) {
        mind.shunned = mind.here + STEPS[mind.tried - 1];
        mind.turns = SHY;
    }
    std::vector<Cell> rivals;
    eachSeen([&](Cell step) {
        if (at(view, step) == '*' && !(step == Cell{})) rivals.push_back(mind.here + step);
    });
    mind.tried = choose(mind, rivals);
    if (mind.tried == STAY) mind.tried = anywhere(mind);
    if (mind.turns > 0) --mind.turns;
    const bool egg = mind.tried != STAY && mind.map.at(mind.here + STEPS[mind.tried - 1]) == EGG;
    std::cout << mind.tried << '\n' << (egg ? 'N' : 'C') << '\n' << remember(mind) << '\n';
}
