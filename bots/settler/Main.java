/**
 * Settler: lives where it is first.
 *
 * <p>1. For each of its moves it takes the board as it will be, and searches from all heads at once: who is where
 * first?
 * <p>2. On that board it plans a round trip over the blocks that it reaches before the others, and home. The move is
 * worth what it scores, and the trip, less what the worst bite in reply would cost.
 * <p>3. n blocks deliver n(n + 1)/2 points, so trips grow long where it is safe: where no rival is near, or shields are
 * at hand. Against that stands the price of a turn, which is what turns have brought so far: on a poor map it is
 * patient.
 * <p>4. To wait or to raise a shield is never a plan: it only helps against a bite, and the trip begins a turn later.
 *
 * <p>All limits are numbers of trips, never times: equal requests get equal answers on every machine.
 */
class Main extends JBot {
    private static final int ROUNDS = 300; // the usual length of a game: the protocol does not tell it
    private static final int SPARE = 4; // turns kept in hand for the last way home
    private static final int STILL = 5; // a python that has not moved for so many turns will not move again

    private static final double DANGER = 0.06; // of a bite in a turn, by a rival beside my body
    private static final double SHELTER = 1.5; // how much less it is for each shield at hand
    private static final double KNOT = 0.0005; // the chance, for each block, that a body ties itself up in a turn
    private static final double FEAR = 0.8; // how likely a rival uses its chance of a bite
    private static final double CATCH = 0.4; // what a move of the way to the prey leaves of a bite's points

    private static final double WAIT = 1.5; // points that it costs to stay, for each turn of it in a row
    private static final double SHIELD = 1; // what a shield costs, for each cell of my length: the points of one block
    private static final double GUESS = 0.8; // points that a turn is worth, until seen
    private static final double TRUST = 60; // how many turns the guess counts for
    private static final double CAUGHT = 0.5; // how much of a load is lost when there is no way out

    private Ground ground;
    private AreaInfo.Cell[] heads;
    private int[] rests;
    private int scored;

    Main() {
        // A Java machine is slow with code that it meets for the first times: let that be before the first turn.
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

    /** Whether a move does anything at all: no skip, and no delivery of nothing. */
    private static boolean isOfUse(AreaInfo.Outcome outcome) {
        boolean empty = outcome.kind() == AreaInfo.Kind.DELIVER && outcome.points() == 0;
        return outcome.kind() != AreaInfo.Kind.SKIP && !empty;
    }

    /** Counts for how many turns each python has rested. */
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

    /** What the board that a move leads to is worth, in points. */
    private double future(AreaInfo board, double danger) {
        Territory territory = new Territory(board, ground, this::isStill);
        int load = load(board);
        int turns = board.turn() < ROUNDS ? ROUNDS - board.turn() : ROUNDS;
        int left = Math.max(0, turns - SPARE - load / 3);
        double risk = danger / shelter(board.me()) + KNOT * load;
        double trip = new Tour(ground, territory, left, price(board), risk).worth(board, load);
        return trip + prey(board, territory) - trap(board, territory);
    }

    /** What a turn is worth, in points: what turns have been worth so far, beginning with a guess. */
    private double price(AreaInfo board) {
        return (scored + GUESS * TRUST) / (board.turn() + TRUST);
    }

    /** What it costs to be where less cells are open than the body takes. */
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

    /** The chance of a bite in a turn: it halves with every two cells that a head is further away from my body. */
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

    /** By how much shields, up or at hand, divide the danger. */
    private static double shelter(AreaInfo.Python me) {
        return 1 + SHELTER * (me.energy() + Math.min(me.shield(), 10) / 12.0);
    }

    /** What the worst bite that a rival could answer with would cost: the points of a delivery, and the rival's. */
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

    /** What the best bite within reach promises. */
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
