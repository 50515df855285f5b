// @NAME@: a first bot for ViPER. It bites tails beside its head, moves towards others, and avoids dead ends.
//
// It is asked whenever it has a choice, and answers with 1 to 8 letters of U, L, D and R, each at most twice. The
// referee picks one of the possible moves at random. Rule numbers are those of `referee rules viper`. Output to
// std::cerr goes to the bot's log.

#include <algorithm>
#include <array>
#include <cstdlib>
#include <iostream>
#include <map>
#include <string>
#include <utility>
#include <vector>

// The offset from its head to the right and down.
using Cell = std::pair<int, int>;
using View = std::vector<std::string>;

const std::string LETTERS = "ULDR";
const std::array<Cell, 4> STEPS{{{0, -1}, {-1, 0}, {0, 1}, {1, 0}}};
constexpr int MIDDLE = 6;   // the position of its head in the 13 rows of 13 characters
constexpr int FAR = 1000;   // more steps than any path has

/// The content of a cell: `.` free, W border, H S T its own head, body and tail, X Y Z an enemy's.
char at(const View& view, Cell cell) { return view[MIDDLE + cell.second][MIDDLE + cell.first]; }

/// Whether a cell is free or holds a tail.
bool isOpen(const View& view, Cell cell) {
    const char what = at(view, cell);
    return what == '.' || what == 'Z' || what == 'T';
}

/// The moves, as indices of LETTERS, that are possible (rule 3).
std::vector<int> possible(const View& view) {
    const auto isBody = [&](Cell step) { return at(view, step) == 'S'; };
    const bool hasBody = std::any_of(STEPS.begin(), STEPS.end(), isBody);
    std::vector<int> moves;
    for (int move = 0; move < 4; ++move) {
        // A snake of two segments has no body, and cannot move to its own tail.
        const bool barred = at(view, STEPS[move]) == 'T' && !hasBody;
        if (isOpen(view, STEPS[move]) && !barred) moves.push_back(move);
    }
    return moves;
}

struct Around {
    int room = 0;    // reachable cells
    int tail = FAR;  // steps to the nearest enemy tail
};

/// The room and the tails that are reachable through a cell beside the head, as far as they are in view.
Around around(const View& view, Cell start) {
    Around found;
    std::map<Cell, int> steps{{start, 1}};
    std::vector<Cell> cells{start};  // the nearest come first
    for (std::size_t place = 0; place < cells.size(); ++place) {
        const Cell cell = cells[place];
        if (at(view, cell) == 'Z') found.tail = std::min(found.tail, steps[cell]);
        for (Cell step : STEPS) {
            const Cell there{cell.first + step.first, cell.second + step.second};
            const bool inView = std::abs(there.first) <= MIDDLE && std::abs(there.second) <= MIDDLE;
            if (!inView || !isOpen(view, there)) continue;
            if (steps.emplace(there, steps[cell] + 1).second) cells.push_back(there);
        }
    }
    found.room = static_cast<int>(cells.size());
    return found;
}

/// The letters of this turn: the best of the possible moves.
std::string choose(const View& view) {
    const std::vector<int> moves = possible(view);
    std::string bites, hunt, others;
    std::array<Around, 4> places;
    int most = 0, nearest = FAR;
    for (int move : moves) {
        if (at(view, STEPS[move]) == 'Z') bites += LETTERS[move];
        places[move] = around(view, STEPS[move]);
        most = std::max(most, places[move].room);
    }
    if (!bites.empty()) return bites;
    // A move with less than half of the room of another could lead into a dead end.
    const auto isRoomy = [&](int move) { return 2 * places[move].room >= most; };
    for (int move : moves) {
        if (isRoomy(move)) nearest = std::min(nearest, places[move].tail);
    }
    for (int move : moves) {
        if (!isRoomy(move)) continue;
        (nearest < FAR && places[move].tail == nearest ? hunt : others) += LETTERS[move];
    }
    // It hunts at least two times out of three, but not always, so that others cannot predict it.
    return hunt + hunt + others;
}

int main() {
    std::string request;
    while (std::getline(std::cin, request)) {
        if (request == "getName") {
            std::cout << "@NAME@" << std::endl;
        } else if (request == "getAction") {
            std::string line;
            std::getline(std::cin, line);
            View view(std::stoi(line));
            for (std::string& row : view) std::getline(std::cin, row);
            std::cout << choose(view) << std::endl;  // endl flushes it
        }
    }
}
