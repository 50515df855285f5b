import java.util.Arrays;
import java.util.function.Predicate;

/**
 * Which python reaches each cell first: searches from all heads at once, through the bodies as they move away.
 *
 * <p>A body of length l leaves its i-th cell (the head has i = 0) with its move of number l - i, if it eats nothing on
 * the way. So a cell is open to any python that arrives no earlier. A python that has not moved for long counts as a wall.
 */
final class Territory {
    /** My moves to each cell, and those of the fastest rival; FAR if it is unreachable. */
    final int[] mine;
    final int[] theirs;
    /** The number of cells that I can reach. */
    final int room;

    private final Ground ground;
    private final int[] opens;

    /**
     * @param still whether a python seems to be disqualified
     */
    Territory(AreaInfo area, Ground ground, Predicate<AreaInfo.Python> still) {
        this.ground = ground;
        opens = new int[ground.near.length];
        for (AreaInfo.Python python : area.pythons()) {
            int left = still.test(python) ? Ground.FAR : python.length();
            for (AreaInfo.Cell cell : python.cells()) {
                opens[ground.number(cell)] = left--;
            }
        }
        mine = empty();
        room = search(area.me(), mine);
        theirs = empty();
        for (AreaInfo.Python rival : area.rivals()) {
            if (!still.test(rival)) {
                int[] moves = empty();
                search(rival, moves);
                for (int cell = 0; cell < moves.length; cell++) {
                    theirs[cell] = Math.min(theirs[cell], moves[cell]);
                }
            }
        }
    }

    private int[] empty() {
        int[] moves = new int[opens.length];
        Arrays.fill(moves, Ground.FAR);
        return moves;
    }

    /** Fills in the moves, and returns how many cells the python can reach. */
    private int search(AreaInfo.Python python, int[] moves) {
        int[] queue = new int[opens.length];
        int reached = 1;
        queue[0] = ground.number(python.head());
        moves[queue[0]] = 0;
        for (int at = 0; at < reached; at++) {
            int cell = queue[at];
            int arrival = moves[cell] + 1;
            if (ground.reactor[cell]) {
                continue;
            }
            for (int beside : ground.near[cell]) {
                if (moves[beside] == Ground.FAR && opens[beside] <= arrival) {
                    moves[beside] = arrival;
                    queue[reached++] = beside;
                }
            }
        }
        return reached;
    }
}
