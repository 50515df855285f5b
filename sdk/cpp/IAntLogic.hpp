// Write a bot for ants in C++: one function in main.cpp, beside this header, nothing else to install (C++11 or newer).
//
// A complete bot, which takes the food that it stands on, and otherwise walks to the right:
//
//     #include "IAntLogic.hpp"
//
//     AntAction GetAction(const Ant &ant, AntSensor sensors[3][3]) {
//         AntAction action = {MOVE_RIGHT, true, 7};
//         if (sensors[1][1].isFood && !ant.hasFood()) action.actionType = GET;
//         return action;
//     }
//
// sensors[x][y] is what the ant senses in the 3 x 3 cells around it: x grows to the right, y grows DOWNWARDS, [0][0] is
// the top left, [2][0] the top right, [1][1] the ant's own cell. ant.getMemory() returns 32 bytes that belong to this
// ant, all 0 at its birth. What GetAction writes there is available in the ant's next turn. One process plays all ants
// of a hill, so keep nothing else between two calls: use local variables.
//
// The program's main, below, answers the referee until the referee closes the input:
// - GetAction gets a new Ant and new sensors in each call; changes to sensors have no effect.
// - Printed output goes to stderr, the team's log: only answers go to the real stdout.
// - Exceptions are not caught: the program ends with a message on stderr and a status other than 0, which disqualifies.
// - The team's name (at most 32 characters) is the result of `const char *GetTeamName()`, if there is such a function, or
//   the `name` in the bot.toml of the folder, or empty.
// - A copy of this file beside the bot, or the contest's file, takes precedence; the referee then adds AntsHost.cpp.
// - If ANT_NO_MAIN is defined, there is no main, for your own tests.
#ifndef I_ANT_LOGIC_HPP
#define I_ANT_LOGIC_HPP

/// The actions of an ant. Any other number does nothing and uses up the turn.
enum AntActionType {
    // Moves to a neighbouring cell.
    MOVE_UP = 0,
    MOVE_LEFT = 1,
    MOVE_DOWN = 2,
    MOVE_RIGHT = 3,
    // Bites of an enemy on a neighbouring cell, which cannot move for 8 turns and drops its food.
    BITE_UP = 4,
    BITE_LEFT = 5,
    BITE_DOWN = 6,
    BITE_RIGHT = 7,
    // Takes food from the ant's own cell or puts it there, one milligram at a time.
    GET = 8,
    PUT = 9,
};

/// What the ant does in this turn.
struct AntAction {
    AntActionType actionType;
    bool putSmell;  ///< whether it marks its cell before it moves
    int smell;      ///< the hue of the mark
};

/// What the ant senses in one cell. Ants that cannot move count as ants. Outside the field, only isWall is set.
struct AntSensor {
    int smell;           ///< the hue of the mark
    int smellIntensity;  ///< 100 when the mark is set, one less after each unit, down to 0
    bool isFriend;       ///< another ant of the same hill
    bool isEnemy;        ///< ants of other hills
    bool isMyHill;
    bool isEnemyHill;
    bool isFood;  ///< also food on a hill
    bool isWall;  ///< outside the field
};

/// The ant whose turn it is.
class Ant {
public:
    virtual char* getMemory() const = 0;  ///< its MAX_MEMORY bytes
    virtual bool hasFood() const = 0;     ///< whether it carries a milligram
    virtual ~Ant() {}
};

const int MAX_MEMORY = 32;

/// The bot: implement this function.
AntAction GetAction(const Ant& ant, AntSensor sensors[3][3]);

#ifndef ANT_NO_MAIN

// No other header of the standard library, and no <unistd.h>, so that bots can use names such as index, link or size.
#include <cstdio>

#ifdef __APPLE__
#define ANT_LOGIC_SYMBOL(name) __asm__("_" name)
#else
#define ANT_LOGIC_SYMBOL(name) __asm__(name)
#endif

/// Optional: the team's name.
__attribute__((weak)) const char* GetTeamName();

namespace ant_logic {

extern "C" int antLogicDup(int) ANT_LOGIC_SYMBOL("dup");
extern "C" int antLogicDup2(int, int) ANT_LOGIC_SYMBOL("dup2");

const int NAME_LENGTH = 32, NAME_BYTES = 4 * NAME_LENGTH;

class AskedAnt : public Ant {
public:
    char* getMemory() const override { return memory_; }
    bool hasFood() const override { return hasFood_; }

    /// Parses a line with 0 or 1 and one with 64 hex digits; false if they are malformed.
    bool read(const char* food, const char* memory) {
        hasFood_ = *food == '1';
        for (int place = 0; place < MAX_MEMORY; ++place) {
            const int high = digit(memory[2 * place]);
            const int low = high < 0 ? -1 : digit(memory[2 * place + 1]);
            if (low < 0) return false;
            memory_[place] = static_cast<char>(high * 16 + low);
        }
        return true;
    }

    void write(char* hex) const {
        for (int place = 0; place < MAX_MEMORY; ++place) {
            const unsigned char byte = static_cast<unsigned char>(memory_[place]);
            *hex++ = "0123456789abcdef"[byte >> 4];
            *hex++ = "0123456789abcdef"[byte & 15];
        }
        *hex = '\0';
    }

private:
    static int digit(char letter) {
        if (letter >= '0' && letter <= '9') return letter - '0';
        return letter >= 'a' && letter <= 'f' ? letter - 'a' + 10 : -1;
    }

    mutable char memory_[MAX_MEMORY];
    bool hasFood_ = false;
};

/// A line of a text file, without its end.
struct Line {
    char text[256];

    bool read(std::FILE* file) {
        if (std::fgets(text, sizeof text, file) == nullptr) return false;
        char* end = text;
        while (*end != '\0' && *end != '\r' && *end != '\n') ++end;
        *end = '\0';
        return true;
    }

    bool is(const char* other) const {
        const char* letter = text;
        for (; *letter != '\0' && *letter == *other; ++other) ++letter;
        return *letter == *other;
    }
};

/// The next of the numbers, which are separated by blanks; 0 if there is none.
inline int number(const char*& next) {
    while (*next == ' ') ++next;
    const bool negative = *next == '-';
    if (negative) ++next;
    long long value = 0;
    for (; *next >= '0' && *next <= '9'; ++next) value = value * 10 + (*next - '0');
    return static_cast<int>(negative ? -value : value);
}

inline AntSensor sensed(const char* next) {
    AntSensor sensor;
    sensor.smell = number(next);
    sensor.smellIntensity = number(next);
    sensor.isFriend = number(next) != 0;
    sensor.isEnemy = number(next) != 0;
    sensor.isMyHill = number(next) != 0;
    sensor.isEnemyHill = number(next) != 0;
    sensor.isFood = number(next) != 0;
    sensor.isWall = number(next) != 0;
    return sensor;
}

/// A member as a number, even if it is not set: a bot need not set members that have no effect, so a bool may have any
/// value.
template <typename Number, typename Member>
Number raw(const Member& member) {
    static_assert(sizeof(Number) == sizeof(Member), "a number of the member's size");
    Number number;
    __builtin_memcpy(&number, &member, sizeof number);
    return number;
}

/// Whether a byte continues a character of UTF-8.
inline bool continues(char byte) { return (byte & 0xC0) == 0x80; }

/// How many characters of UTF-8 a name has.
inline int lengthOf(const char* name) {
    int length = 0;
    for (; *name != '\0'; ++name) length += continues(*name) ? 0 : 1;
    return length;
}

/// What is wrong with a name; null if it is valid.
inline const char* faultOf(const char* name) {
    for (int place = 0; name[place] != '\0'; ++place) {
        if (static_cast<unsigned char>(name[place]) < 0x20 || name[place] == 0x7F) return "it contains a control character";
    }
    return lengthOf(name) > NAME_LENGTH ? "it is longer than 32 characters" : nullptr;
}

/// The name in the bot.toml of this folder, cut to the length that the protocol allows; empty if it has none.
inline void nameOfManifest(char (&name)[NAME_BYTES + 1]) {
    name[0] = '\0';
    std::FILE* const file = std::fopen("bot.toml", "r");
    if (file == nullptr) return;
    Line line;
    char quote = '\0';
    int at = 0;
    while (quote == '\0' && line.read(file)) std::sscanf(line.text, "name = %c%n", &quote, &at);
    std::fclose(file);
    if (quote != '"' && quote != '\'') return;
    const char* const text = line.text + at;
    int size = 0, end = 0, length = 0;
    while (text[end] != quote && text[end] != '\\' && text[end] != '\0') ++end;
    if (text[end] != quote) return;
    for (; size < end && size < NAME_BYTES; ++size) {
        if (!continues(text[size]) && ++length > NAME_LENGTH) break;
        name[size] = text[size];
    }
    name[size] = '\0';
    if (faultOf(name) != nullptr) name[0] = '\0';
}

inline int failed(const char* what, const char* text) {
    std::fprintf(stderr, "%s: '%s'\n", what, text);
    return 1;
}

/// Answers the requests on stdin; returns the program's status.
inline int play(std::FILE* answers) {
    char ownName[NAME_BYTES + 1] = "";
    const char* name = ownName;
    if (GetTeamName != nullptr) {
        name = GetTeamName();
        if (const char* const fault = faultOf(name)) return failed(fault, name);
    } else {
        nameOfManifest(ownName);
    }
    for (Line request; request.read(stdin);) {
        if (request.is("getName")) {
            std::fprintf(answers, "%s\n", name);
        } else if (request.is("getAction")) {
            Line food, memory, cell;
            AskedAnt ant;
            AntSensor sensors[3][3];
            if (!food.read(stdin) || !memory.read(stdin)) return 0;  // the match ended during the request
            if (!ant.read(food.text, memory.text)) return failed("not an ant's memory", memory.text);
            for (int place = 0; place < 9; ++place) {
                if (!cell.read(stdin)) return 0;
                sensors[place % 3][place / 3] = sensed(cell.text);
            }
            const AntAction action = GetAction(ant, sensors);
            const bool puts = raw<unsigned char>(action.putSmell) != 0;
            char hex[2 * MAX_MEMORY + 1];
            ant.write(hex);
            std::fprintf(answers, "%d %d %d %s\n", raw<int>(action.actionType), puts, puts ? action.smell : 0, hex);
        } else {
            return failed("the referee sent an unknown request", request.text);
        }
        if (std::fflush(answers) != 0) return failed("the answer could not be written", "the referee has closed our output");
    }
    return 0;
}

/// Keeps the real stdout for answers; all other output goes to stderr, line by line.
inline int main() {
    const int descriptor = antLogicDup(1);
    std::FILE* const answers = descriptor < 0 ? nullptr : ::fdopen(descriptor, "wb");
    if (answers == nullptr || antLogicDup2(2, 1) < 0) return failed("there is nowhere to answer", "stdout or stderr is closed");
    std::setvbuf(stdout, nullptr, _IOLBF, BUFSIZ);
    return play(answers);
}

}  // namespace ant_logic

/// Weak, so that several sources can include this header.
__attribute__((weak)) int main() { return ant_logic::main(); }

#endif
#endif
