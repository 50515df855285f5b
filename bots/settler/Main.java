/**
 * Settler: takes the blocks that it reaches first.
 *
 * <p>1. For each of its moves, it takes the board after the move and searches from all heads at once, to find out which
 * python reaches each cell first.
 *
 * <p>2. On that board, it plans a round trip over the blocks that it reaches before the others. The worth of the move is its
 * score and the worth of the trip, minus the cost of the worst bite in reply.
 *
 * <p>3. A delivery of n blocks scores n(n + 1)/2 points, so trips become long where it is safe, without rivals nearby or with
 * shields available. The price of a turn limits them. It is the average gain of a turn so far, so on a poor map the bot is
 * patient.
 *
 * <p>4. Waiting and raising a shield are never part of a plan: they only help against a bite, and the trip begins a turn
 * later.
 *
 * <p>All limits are numbers of trips, never times: equal requests get equal answers on every machine.
 */
class Main extends JBot {
    private static final int ROUNDS = 300; // the usual length of a game; the protocol does not say it
    private static final int SPARE = 4; // turns reserved for the last trip home
    private static final int STILL = 5; // a python that has not moved for this many turns will not move again

    private static final double DANGER = 0.06; // the probability of a bite in a turn by a rival beside my body
    private static final double SHELTER = 1.5; // divides the danger for each available shield
    private static final double KNOT = 0.0005; // the chance, for each block, that a body ties itself up in a turn
    private static final double FEAR = 0.8; // the probability that a rival uses its chance of a bite
    private static final double CATCH = 0.4; // the share of a bite's points that remains after each move towards the prey

    private static final double WAIT = 1.5; // the cost of staying, in points, for each consecutive turn
    private static final double SHIELD = 1; // the cost of a shield for each cell of my length: the points of one block
    private static final double GUESS = 0.8; // the initial worth of a turn, in points
    private static final double TRUST = 60; // how many turns the guess counts for
    private static final double CAUGHT = 0.5; // the share of a load that is lost if there is no way out

    private Ground ground;
    private AreaInfo.Cell[] heads;
    private int[] rests;
    private int scored;

    Main() {
        // Java runs new code slowly, so warm up before the first turn.
        AreaInfo small = AreaInfo.parse("5\npb..R\n.....\n..b..\nW....\n.e.bp\n0 2 0 0 1 0\n0 2 4 4 3 4");
        for (int rehearsal = 0; rehearsal < 50; rehearsal++) {
            getAction(small);
        }
        ground = null;
        scored = 0;
    }

    @Override
    String getName() {
        return "Settler";
    }

    @Override
    char getAction(AreaInfo area) {
        watch(area);
        double danger = danger(area);
        char best = 'N';
        double most = Double.NEGATIVE_INFINITY;
        double onward = Double.NEGATIVE_INFINITY;
        for (char direction : AreaInfo.DIRECTIONS) {
            if (isOfUse(area.outcome(direction))) {
                AreaInfo board = area.after(direction);
                double future = future(board, danger);
                boolean delivers = area.outcome(direction).kind() == AreaInfo.Kind.DELIVER;
                double value = area.outcome(direction).points() + (delivers ? Math.max(future, 0) : future);
                onward = Math.max(onward, value);
                if (value - threat(board) > most) {
                    most = value - threat(board);
                    best = direction;
                }
            }
        }
        double shield = onward - SHIELD * area.me().length() - threat(area.after('A'));
        if (area.me().energy() > 0 && shield > most) {
            most = shield;
            best = 'A';
        }
        if (onward - WAIT * (1 + rests[0]) - threat(area.after('N')) > most) {
            best = 'N';
        }
        scored += area.outcome(best).points();
        return best;
    }

    /** Whether a move has an effect: not a skip, and not a delivery of nothing. */
    private static boolean isOfUse(AreaInfo.Outcome outcome) {
        boolean empty = outcome.kind() == AreaInfo.Kind.DELIVER && outcome.points() == 0;
        return outcome.kind() != AreaInfo.Kind.SKIP && !empty;
    }

    /** Counts the turns for which each python has not moved. */
    private void watch(AreaInfo area) {
        if (ground == null) {
            ground = new Ground(area);
            heads = new AreaInfo.Cell[area.pythons().size()];
            rests = new int[heads.length];
        }
        for (AreaInfo.Python python : area.pythons()) {
            int index = python.index();
            rests[index] = python.head().equals(heads[index]) ? rests[index] + 1 : 0;
            heads[index] = python.head();
        }
    }

    /** The worth of the board after a move, in points. */
    private double future(AreaInfo board, double danger) {
        Territory territory = new Territory(board, ground, this::isStill);
        int load = load(board);
        int turns = board.turn() < ROUNDS ? ROUNDS - board.turn() : ROUNDS;
        int left = Math.max(0, turns - SPARE - load / 3);
        double risk = danger / shelter(board.me()) + KNOT * load;
        double trip = new Tour(ground, territory, left, price(board), risk).worth(board, load);
        return trip + prey(board, territory) - trap(board, territory);
    }

    /** The worth of a turn in points: the average so far, beginning with a guess. */
    private double price(AreaInfo board) {
        return (scored + GUESS * TRUST) / (board.turn() + TRUST);
    }

    /** The cost of a place with fewer open cells than the body is long. */
    private static double trap(AreaInfo board, Territory territory) {
        int load = load(board);
        int room = territory.room;
        return room >= load ? 0 : CAUGHT * board.me().value() * (load - room) / load;
    }

    private static int load(AreaInfo board) {
        return board.me().length() - 1;
    }

    private boolean isStill(AreaInfo.Python python) {
        return rests[python.index()] >= STILL;
    }

    /** The chance of a bite in a turn: it halves with every two cells of distance between a head and my body. */
    private double danger(AreaInfo area) {
        double danger = 0;
        for (AreaInfo.Python rival : area.rivals()) {
            int gap = Ground.FAR;
            for (AreaInfo.Cell cell : area.me().cells()) {
                AreaInfo.Cell head = rival.head();
                gap = Math.min(gap, Math.abs(head.x() - cell.x()) + Math.abs(head.y() - cell.y()));
            }
            danger += isStill(rival) ? 0 : DANGER / StrictMath.pow(2, (gap - 1) / 2.0);
        }
        return Math.min(danger, 0.5);
    }

    /** The divisor of the danger for shields, raised or available. */
    private static double shelter(AreaInfo.Python me) {
        return 1 + SHELTER * (me.energy() + Math.min(me.shield(), 10) / 12.0);
    }

    /** The cost of the worst bite in reply: the points of a delivery, and those of the rival. */
    private static double threat(AreaInfo board) {
        int lost = 0;
        for (AreaInfo.Python rival : board.rivals()) {
            for (char direction : AreaInfo.DIRECTIONS) {
                AreaInfo.Outcome reply = board.outcome(direction, rival.index());
                lost = Math.max(lost, reply.victim() == 0 ? reply.points() : 0);
            }
        }
        int load = load(board);
        int kept = load - lost;
        return FEAR * ((load * (load + 1) - kept * (kept + 1)) / 2.0 + lost);
    }

    /** The gain of the best bite within reach. */
    private double prey(AreaInfo board, Territory territory) {
        double best = 0;
        for (AreaInfo.Python rival : board.rivals()) {
            for (int place = 1; place < rival.length() - 1 && rival.shield() <= 1; place++) { // a tail cannot be bitten
                for (int beside : ground.near[ground.number(rival.cells().get(place))]) {
                    int moves = territory.mine[beside] + 1;
                    if (moves <= 4) {
                        best = Math.max(best, (rival.length() - place) * StrictMath.pow(CATCH, moves));
                    }
                }
            }
        }
        return best;
    }
}
