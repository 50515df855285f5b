import java.util.ArrayList;
import java.util.List;

/**
 * A first bot for SnakeCore. It collects blocks, carries them home, and keeps its body out of rivals' reach.
 *
 * <p>JBot talks to the referee and calls getAction once a turn: start reading there. There is one object for the whole
 * match, so the bot can keep data in its fields. Printed output goes to the bot's log, so System.out.println(area)
 * shows what the bot sees. Rule numbers are those of `referee rules`.
 */
class Main extends JBot {
    /** It delivers with this many blocks. n blocks score n(n + 1)/2 (rule 13), so larger loads score more and risk
     * more. */
    private static final int ENOUGH = 10;

    @Override
    String getName() {
        return "@NAME@";
    }

    /** The action of this turn: one of U L D R (move), N (wait), A (raise the shield). */
    @Override
    char getAction(AreaInfo area) {
        char best = errand(area);
        for (char action : others(area)) {
            if (danger(area, action) < danger(area, best)) {
                best = action;
            }
        }
        if (danger(area, best) > 0 && area.me().energy() > 0) {
            return 'A'; // no move is safe, but an energy block protects me for ten turns (rule 14)
        }
        return best;
    }

    /** Where I would go without rivals: to a reactor if I carry enough blocks or none are left, otherwise to the
     * nearest block. */
    private static char errand(AreaInfo area) {
        int blocks = area.me().body().size();
        if (blocks >= ENOUGH) {
            return area.firstStep(area.reactors(), area.freeBlocks());
        }
        if (blocks > 0) {
            return area.firstStep(area.freeBlocks(), area.reactors());
        }
        return area.firstStep(area.freeBlocks());
    }

    /**
     * My other options: to an empty cell, to my own tail, which moves away in time (rule 12), or to a free block.
     * Waiting is not an option, since two careful bots would wait for each other.
     */
    private static List<Character> others(AreaInfo area) {
        List<Character> actions = new ArrayList<>();
        for (char direction : AreaInfo.DIRECTIONS) {
            AreaInfo.Kind kind = area.outcome(direction).kind();
            if (kind == AreaInfo.Kind.MOVE || kind == AreaInfo.Kind.EAT) {
                actions.add(direction);
            }
        }
        return actions;
    }

    /** How many blocks a rival could bite off me in its next turn if I did this now (rule 11). */
    private static int danger(AreaInfo area, char action) {
        AreaInfo later = area.after(action);
        int worst = 0;
        for (AreaInfo.Python rival : later.rivals()) {
            for (char direction : AreaInfo.DIRECTIONS) {
                AreaInfo.Outcome bite = later.outcome(direction, rival.index());
                if (bite.victim() == later.me().index()) {
                    worst = Math.max(worst, bite.points());
                }
            }
        }
        return worst;
    }
}
