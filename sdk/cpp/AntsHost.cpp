// Plays a bot for ants that has its own copy of IAntLogic.hpp, such as the contest's, which hides the SDK's file with
// its main.
//
// The referee adds it automatically. To build by hand, add it as another source:
//
//     g++ -std=c++20 -O2 -I SDK -o bot *.cpp SDK/AntsHost.cpp
//
// 1. The header below is the one beside this file, not the bot's. It contains the main, which is weak.
// 2. GetAction may also be extern "C", as libraries export it: the weak one here calls it.
#include "IAntLogic.hpp"

#include <cstdlib>

extern "C" __attribute__((weak)) AntAction antLogicExported(const Ant& ant, AntSensor sensors[3][3])
    ANT_LOGIC_SYMBOL("GetAction");

__attribute__((weak)) AntAction GetAction(const Ant& ant, AntSensor sensors[3][3]) {
    if (antLogicExported == nullptr) {
        std::fprintf(stderr, "there is no AntAction GetAction(const Ant &ant, AntSensor sensors[3][3])\n");
        std::exit(1);
    }
    return antLogicExported(ant, sensors);
}
