import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * The best round trip from here: over blocks that I reach before the others, and to a reactor.
 *
 * <p>This is a beam search. The worth of a trip is the points of its delivery, minus the price of its turns. The points
 * decrease with every turn in which a rival might bite. A block counts as the probability that it is still there.
 */
final class Tour {
    private static final int STOPS = 12; // blocks on one trip
    private static final int WIDTH = 16; // trips kept after each block
    private static final int REACH = 16; // moves from block to block
    private static final double LATE = 0.8; // multiplies a block's chance for each move by which a rival is sooner
    private static final double ENERGY = 1.3; // the worth of an energy block, in blocks

    private final Ground ground;
    private final Territory territory;
    private final int left;
    private final double price;
    private final double[] fade;

    /** A trip so far, to its last block. */
    private static final class Stop {
        final Stop before;
        final int cell;
        final int moves;
        final double load;
        final double worth;

        Stop(Stop before, int cell, int moves, double load, double worth) {
            this.before = before;
            this.cell = cell;
            this.moves = moves;
            this.load = load;
            this.worth = worth;
        }

        boolean visits(int block) {
            return cell == block || before != null && before.visits(block);
        }
    }

    /**
     * @param left the turns that I have left
     * @param price the worth of a turn, in points
     * @param danger the probability per turn of losing the load
     */
    Tour(Ground ground, Territory territory, int left, double price, double danger) {
        this.ground = ground;
        this.territory = territory;
        this.left = left;
        this.price = price;
        fade = new double[left + 1];
        fade[0] = 1;
        for (int turn = 1; turn <= left; turn++) {
            fade[turn] = fade[turn - 1] * (1 - danger);
        }
    }

    /** The worth of the best trip in points, for a python with this load. */
    double worth(AreaInfo area, int load) {
        int nearest = Ground.FAR;
        for (AreaInfo.Cell reactor : area.reactors()) {
            nearest = Math.min(nearest, territory.mine[ground.number(reactor)]);
        }
        double best = load > 0 ? delivery(load, nearest) : -price * left;
        List<Stop> trips = List.of(new Stop(null, ground.number(area.me().head()), 0, load, best));
        for (int stop = 0; stop < STOPS && !trips.isEmpty(); stop++) {
            trips = longer(trips, area);
            best = trips.isEmpty() ? best : Math.max(best, trips.get(0).worth);
        }
        return best;
    }

    /** The best trips that go on to one more block. */
    private List<Stop> longer(List<Stop> trips, AreaInfo area) {
        List<Stop> found = new ArrayList<>();
        for (Stop trip : trips) {
            int[] ways = trip.before == null ? territory.mine : ground.moves(trip.cell);
            for (AreaInfo.Cell block : area.freeBlocks()) {
                int cell = ground.number(block);
                if ((trip.before == null ? ways[cell] < Ground.FAR : ways[cell] <= REACH) && !trip.visits(cell)) {
                    int moves = trip.moves + ways[cell];
                    double load = trip.load + chance(cell, moves) * (area.isEnergy(block) ? ENERGY : 1);
                    found.add(new Stop(trip, cell, moves, load, delivery(load, moves + ground.home(cell))));
                }
            }
        }
        found.sort(Comparator.comparingDouble(trip -> -trip.worth));
        return found.subList(0, Math.min(WIDTH, found.size()));
    }

    /** The probability that a block is still there after so many moves. The others move first, so they win ties. */
    private double chance(int cell, int moves) {
        double chance = 1;
        for (int sooner = territory.theirs[cell]; sooner <= moves && chance > 0.02; sooner++) {
            chance *= LATE;
        }
        return chance;
    }

    private double delivery(double load, int moves) {
        return moves > left ? -price * left : load * (load + 1) / 2 * fade[moves] - price * moves;
    }
}
