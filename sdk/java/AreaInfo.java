import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.function.Supplier;
import java.util.regex.Pattern;

/**
 * The board of one request, with queries about it. Boards never change: {@link #after after} returns a new one,
 * and all lists and maps that a board returns are read-only.
 *
 * <p>Cells are pairs (x, y): x grows to the right, y grows DOWNWARDS, (0, 0) is the top left. So 'U' is y - 1, and 'D'
 * is y + 1. Rule numbers are those that {@code referee rules} prints. Nothing here is random: equal boards give equal
 * answers. {@link JBot} explains how to write a bot.
 */
public final class AreaInfo {
    /** The six letters that a bot may answer with (rule 8). */
    public static final List<Character> ACTIONS = List.of('U', 'L', 'D', 'R', 'N', 'A');

    /** The four moves. Ties between equally good paths are broken in this order. */
    public static final List<Character> DIRECTIONS = List.of('U', 'L', 'D', 'R');

    static final double FIRST_LIMIT = 15; // seconds, rule 18
    static final double ANSWER_LIMIT = 1;
    static final double TOTAL_LIMIT = 120;
    private static final int SHIELD_TURNS = 10; // rule 14

    private static final Pattern LINE_END = Pattern.compile("\r\n|[\n\r\u000b\f\u001c-\u001e\u0085\u2028\u2029]");
    private static final int NOBODY = -1;
    private static final byte OUTSIDE = 0; // the content of the frame
    private static final byte CLOSED = 0;
    private static final byte THROUGH = 1;
    private static final byte END = 2;

    /** Readable names for the six letters. */
    public static final class Action {
        public static final char UP = 'U';
        public static final char LEFT = 'L';
        public static final char DOWN = 'D';
        public static final char RIGHT = 'R';
        public static final char WAIT = 'N';
        public static final char SHIELD = 'A';

        private Action() {}
    }

    /** A cell, on the field or off it. Cells with equal x and y are equal; they are ordered by x, then by y. */
    public static final class Cell implements Comparable<Cell> {
        private final int x;
        private final int y;

        public Cell(int x, int y) {
            this.x = x;
            this.y = y;
        }

        public int x() {
            return x;
        }

        public int y() {
            return y;
        }

        /**
         * The cell one step from here, possibly off the field.
         *
         * @throws IllegalArgumentException for a direction other than U L D R
         */
        public Cell neighbour(char direction) {
            switch (direction) {
                case 'U':
                    return new Cell(x, y - 1);
                case 'L':
                    return new Cell(x - 1, y);
                case 'D':
                    return new Cell(x, y + 1);
                case 'R':
                    return new Cell(x + 1, y);
                default:
                    throw new IllegalArgumentException("'" + direction + "' is not one of U L D R N A");
            }
        }

        @Override
        public int compareTo(Cell other) {
            return x != other.x ? Integer.compare(x, other.x) : Integer.compare(y, other.y);
        }

        @Override
        public boolean equals(Object other) {
            return other instanceof Cell && ((Cell) other).x == x && ((Cell) other).y == y;
        }

        @Override
        public int hashCode() {
            return 1031 * y + x;
        }

        /** Such as "(3, 4)". */
        @Override
        public String toString() {
            return "(" + x + ", " + y + ")";
        }
    }

    /** The kind of an action's outcome. */
    public enum Kind {
        MOVE,
        EAT,
        BITE,
        DELIVER,
        SHIELD,
        WAIT,
        SKIP;

        /** Such as "eat". */
        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /** The obstacle that makes an action a skip (rule 15). */
    public enum Why {
        /** None: the action is possible. */
        NONE(""),
        EDGE("edge"),
        WALL("wall"),
        HEAD("head"),
        TAIL("tail"),
        SHIELD("shield"),
        NO_ENERGY("no-energy");

        private final String word;

        Why(String word) {
            this.word = word;
        }

        /** Such as "no-energy"; empty for {@link #NONE}. */
        @Override
        public String toString() {
            return word;
        }
    }

    /** What an action would do (rules 8-15). */
    public static final class Outcome {
        private final Kind kind;
        private final Cell target;
        private final int points;
        private final Why why;
        private final int victim;

        Outcome(Kind kind, Cell target, int points, Why why, int victim) {
            this.kind = kind;
            this.target = target;
            this.points = points;
            this.why = why;
            this.victim = victim;
        }

        Outcome(Kind kind, Cell target) {
            this(kind, target, 0, Why.NONE, NOBODY);
        }

        static Outcome skip(Cell target, Why why) {
            return new Outcome(Kind.SKIP, target, 0, why, NOBODY);
        }

        public Kind kind() {
            return kind;
        }

        /** The cell that the action aims at, possibly off the field; the head's own cell for 'N' and 'A'. */
        public Cell target() {
            return target;
        }

        /** The points that it scores; 0 for a bite into its own body and for a delivery without a body. */
        public int points() {
            return points;
        }

        /** For a skip, the obstacle; otherwise {@link Why#NONE}. */
        public Why why() {
            return why;
        }

        /** For a bite, the index of the bitten python (possibly the biter itself); otherwise -1. */
        public int victim() {
            return victim;
        }

        @Override
        public boolean equals(Object other) {
            if (!(other instanceof Outcome)) {
                return false;
            }
            Outcome that = (Outcome) other;
            return kind == that.kind && target.equals(that.target) && points == that.points && why == that.why
                && victim == that.victim;
        }

        @Override
        public int hashCode() {
            return Objects.hash(kind, target, points, why, victim);
        }

        /** Such as "bite (3, 4) points 2 victim 1" or "skip (3, 4) wall". */
        @Override
        public String toString() {
            return kind + " " + target + (points > 0 ? " points " + points : "") + (why == Why.NONE ? "" : " " + why)
                + (victim == NOBODY ? "" : " victim " + victim);
        }
    }

    /** One python. */
    public static final class Python {
        private final int index;
        private final int shield;
        private final List<Cell> cells;
        private final String blocks;

        Python(int index, int shield, List<Cell> cells, String blocks) {
            this.index = index;
            this.shield = shield;
            this.cells = Collections.unmodifiableList(cells);
            this.blocks = blocks;
        }

        /** Its place in {@link AreaInfo#pythons}; 0 is me, the others follow in the order in which they move. */
        public int index() {
            return index;
        }

        /**
         * The remaining turns of protection, as in the request. My counter has already been decreased for this turn;
         * the others' are decreased when their turns begin (rule 7). Above 0, this python cannot be bitten.
         */
        public int shield() {
            return shield;
        }

        /** Its cells: the head first, the tail last. */
        public List<Cell> cells() {
            return cells;
        }

        /** The kinds of the body's blocks, 'b' or 'e' each, from the one behind the head to the tail. */
        public String blocks() {
            return blocks;
        }

        public Cell head() {
            return cells.get(0);
        }

        /** The cell of the last block, or of the head if there is no body. */
        public Cell tail() {
            return cells.get(cells.size() - 1);
        }

        /** The cells of the blocks, from the one behind the head to the tail. */
        public List<Cell> body() {
            return cells.subList(1, cells.size());
        }

        /** Head and blocks together: 1 for a head alone (rule 5). */
        public int length() {
            return cells.size();
        }

        /** The number of energy blocks in its body, which is how many shields it can still raise. */
        public int energy() {
            int count = 0;
            for (int at = 0; at < blocks.length(); at++) {
                count += blocks.charAt(at) == 'e' ? 1 : 0;
            }
            return count;
        }

        /** Points for delivering the whole body now: n(n + 1)/2 for n blocks (rule 13). */
        public int value() {
            return blocks.length() * (blocks.length() + 1) / 2;
        }

        @Override
        public boolean equals(Object other) {
            if (!(other instanceof Python)) {
                return false;
            }
            Python that = (Python) other;
            return index == that.index && shield == that.shield && cells.equals(that.cells)
                && blocks.equals(that.blocks);
        }

        @Override
        public int hashCode() {
            return Objects.hash(index, shield, cells, blocks);
        }

        /** Such as "python 1, shield 0, [(3, 4), (3, 5)] b". */
        @Override
        public String toString() {
            return "python " + index + ", shield " + shield + ", " + cells + " " + blocks;
        }
    }

    /** The paths from one cell: for each spot of the framed field, the moves to it and the spot before it. */
    private static final class Search {
        final int[] before; // 0 if not reached: spot 0 is in the frame
        final int[] distance;
        final int[] order; // the spots reached, the nearest first
        int reached;
        Map<Cell, Integer> distances;

        Search(int spots) {
            before = new int[spots];
            distance = new int[spots];
            order = new int[spots];
        }
    }

    private final int size;
    private final int width; // of the framed field: a step down adds it to a spot
    private final byte[] field; // a letter for each cell, row by row, inside a frame of zeros
    private final List<Python> pythons;
    private final int ticked; // the python whose shield clock is already decreased for a turn not yet played
    private final int turn;
    private final long answerEnds; // nanoseconds of System.nanoTime
    private final long totalEnds;

    // Computed on first use
    private int[] parts; // for each spot, 1 + the index of the python that lies there
    private byte[] ways;
    private List<Cell> reactors;
    private List<Cell> freeBlocks;
    private List<Cell> freeEnergy;
    private final Map<Integer, Search> searches = new HashMap<>();

    private AreaInfo(
        int size, byte[] field, List<Python> pythons, int ticked, int turn, long answerEnds, long totalEnds) {
        this.size = size;
        this.width = size + 2;
        this.field = field;
        this.pythons = Collections.unmodifiableList(pythons);
        this.ticked = ticked;
        this.turn = turn;
        this.answerEnds = answerEnds;
        this.totalEnds = totalEnds;
    }

    // Reading

    /**
     * The board of a request given as text: n, n rows, a line for each 'p' on the map.
     *
     * <p>A first line {@code getAction} is optional, and line ends may be CRLF. All characters except W R b e p mean
     * empty cells.
     *
     * @throws IllegalArgumentException if lines or numbers are missing
     */
    public static AreaInfo parse(String request) {
        List<String> lines = new ArrayList<>(Arrays.asList(LINE_END.split(request, -1)));
        if (lines.get(lines.size() - 1).isEmpty()) {
            lines.remove(lines.size() - 1); // the text after the last line end is not a line
        }
        return parse(lines);
    }

    /**
     * The board of a request given as its lines, as {@link #parse(String)} reads it.
     *
     * @throws IllegalArgumentException if lines or numbers are missing
     */
    public static AreaInfo parse(Iterable<String> lines) {
        Iterator<String> rest = lines.iterator();
        String first = rest.hasNext() ? rest.next() : null;
        boolean named = first != null && first.strip().equals("getAction");
        Supplier<byte[]> source = new Supplier<>() {
            private String kept = named ? null : first;

            @Override
            public byte[] get() {
                String line = kept != null ? kept : rest.hasNext() ? rest.next() : null;
                kept = null;
                return line == null ? null : line.getBytes(StandardCharsets.ISO_8859_1);
            }
        };
        AreaInfo area = read(source, 1, ANSWER_LIMIT, TOTAL_LIMIT);
        if (area == null) {
            throw new IllegalArgumentException(
                "the request ends too early: after n must come n rows and one line for each python");
        }
        return area;
    }

    /**
     * The board after a {@code getAction} line; null if the input ends within it ({@code lines} returns null).
     *
     * @param lines returns line after line, with or without its end
     * @param turn the number of this request, from 1
     * @param answer the time left for this answer, in seconds
     * @param total the time left for all answers, in seconds
     */
    static AreaInfo read(Supplier<byte[]> lines, int turn, double answer, double total) {
        byte[] first = lines.get();
        if (first == null) {
            return null;
        }
        int[] sizes = numbers(first);
        if (sizes.length != 1 || sizes[0] < 1) {
            throw new IllegalArgumentException("not the size of a board: \"" + text(first) + "\"");
        }
        int size = sizes[0];
        byte[][] rows = new byte[size][];
        for (int y = 0; y < size; y++) {
            rows[y] = lines.get();
            if (rows[y] == null) {
                return null;
            }
        }
        int width = size + 2;
        byte[] field = new byte[width * width];
        int heads = 0;
        for (int y = 0; y < size; y++) {
            for (int x = 0; x < size; x++) {
                byte letter = x < rows[y].length ? known(rows[y][x]) : (byte) '.';
                field[(y + 1) * width + x + 1] = letter;
                heads += letter == 'p' ? 1 : 0;
            }
        }
        List<Python> pythons = new ArrayList<>(heads);
        for (int index = 0; index < heads; index++) {
            byte[] line = lines.get();
            if (line == null) {
                return null;
            }
            pythons.add(python(index, line, size, field));
        }
        long now = System.nanoTime();
        return new AreaInfo(size, field, pythons, 0, turn, now + (long) (answer * 1e9), now + (long) (total * 1e9));
    }

    private static Python python(int index, byte[] line, int size, byte[] field) {
        int[] numbers = numbers(line);
        if (numbers.length < 4 || numbers[1] != (numbers.length - 2) / 2 || numbers.length % 2 != 0) {
            throw new IllegalArgumentException(
                "not a python's line, which is `shield length x0 y0 x1 y1 ...`: \"" + text(line) + "\"");
        }
        List<Cell> cells = new ArrayList<>(numbers[1]);
        StringBuilder blocks = new StringBuilder(numbers[1]);
        for (int at = 2; at < numbers.length; at += 2) {
            int x = numbers[at];
            int y = numbers[at + 1];
            if (x < 0 || x >= size || y < 0 || y >= size) {
                throw new IllegalArgumentException(
                    "a python's cell (" + x + ", " + y + ") is off the field of " + size + " x " + size);
            }
            cells.add(new Cell(x, y));
            if (at > 2) {
                blocks.append((char) field[(y + 1) * (size + 2) + x + 1]);
            }
        }
        return new Python(index, numbers[0], cells, blocks.toString());
    }

    private static byte known(byte letter) {
        switch (letter) {
            case 'W':
            case 'R':
            case 'b':
            case 'e':
            case 'p':
                return letter;
            default:
                return '.';
        }
    }

    /** The numbers of a line; NumberFormatException, which is an IllegalArgumentException, for any other word. */
    private static int[] numbers(byte[] line) {
        String words = text(line);
        int[] numbers = new int[line.length / 2 + 1];
        int count = 0;
        for (int from = 0; from < line.length; from++) {
            if (!isBlank(line[from])) {
                int to = from + 1;
                while (to < line.length && !isBlank(line[to])) {
                    to++;
                }
                numbers[count++] = Integer.parseInt(words, from, to, 10);
                from = to;
            }
        }
        return Arrays.copyOf(numbers, count);
    }

    private static boolean isBlank(byte letter) {
        return letter == ' ' || '\t' <= letter && letter <= '\r'; // tab to carriage return
    }

    private static String text(byte[] line) {
        return new String(line, StandardCharsets.ISO_8859_1);
    }

    /** The board's rows as in the request, for {@code System.out.println(area)} (which goes to stderr in a bot). */
    @Override
    public String toString() {
        StringBuilder rows = new StringBuilder(size * (size + 1));
        for (int y = 1; y <= size; y++) {
            rows.append(y > 1 ? "\n" : "").append(new String(field, y * width + 1, size, StandardCharsets.ISO_8859_1));
        }
        return rows.toString();
    }

    /** The field has size x size cells. */
    public int size() {
        return size;
    }

    /** The number of getAction requests so far, including this one. */
    public int turn() {
        return turn;
    }

    // Time, in seconds. The protocol sends no clocks, so the SDK measures, from the first request on.

    /** The time left of the 120 s for all my answers, in seconds. */
    public double timeLeft() {
        return (totalEnds - System.nanoTime()) / 1e9;
    }

    /** The time left for this answer, of 1 s (15 s for the first answer), in seconds. */
    public double answerTimeLeft() {
        return Math.min((answerEnds - System.nanoTime()) / 1e9, timeLeft());
    }

    // The pythons

    /** All pythons: me first, then the others in the order in which they move after me. */
    public List<Python> pythons() {
        return pythons;
    }

    public Python me() {
        return pythons.get(0);
    }

    /** All pythons except me. Those of disqualified players stay, but no longer move (rule 17). */
    public List<Python> rivals() {
        return pythons.subList(1, pythons.size());
    }

    /** The reactors, row by row. */
    public List<Cell> reactors() {
        if (reactors == null) {
            List<Cell> found = new ArrayList<>();
            for (int spot = 0; spot < field.length; spot++) {
                if (field[spot] == 'R') {
                    found.add(cell(spot));
                }
            }
            reactors = Collections.unmodifiableList(found);
        }
        return reactors;
    }

    /** The free blocks of both kinds, row by row. */
    public List<Cell> freeBlocks() {
        if (freeBlocks == null) {
            List<Cell> found = new ArrayList<>();
            for (int spot = 0; spot < field.length; spot++) {
                if ((field[spot] == 'b' || field[spot] == 'e') && parts()[spot] == 0) {
                    found.add(cell(spot));
                }
            }
            freeBlocks = Collections.unmodifiableList(found);
        }
        return freeBlocks;
    }

    /** The free energy blocks, row by row. */
    public List<Cell> freeEnergy() {
        if (freeEnergy == null) {
            List<Cell> found = new ArrayList<>(freeBlocks());
            found.removeIf(cell -> !isEnergy(cell));
            freeEnergy = Collections.unmodifiableList(found);
        }
        return freeEnergy;
    }

    /** The python whose head or block occupies the cell; null for a free block or anything else. */
    public Python owner(Cell cell) {
        return isPart(cell) ? pythons.get(parts()[spot(cell)] - 1) : null;
    }

    // The content of a cell. All are false off the field.

    public boolean isInside(Cell cell) {
        return 0 <= cell.x && cell.x < size && 0 <= cell.y && cell.y < size;
    }

    public boolean isWall(Cell cell) {
        return at(cell) == 'W';
    }

    public boolean isReactor(Cell cell) {
        return at(cell) == 'R';
    }

    public boolean isEmpty(Cell cell) {
        return at(cell) == '.';
    }

    public boolean isHead(Cell cell) {
        return at(cell) == 'p';
    }

    /** A block of any kind, free or linked. */
    public boolean isBlock(Cell cell) {
        return at(cell) == 'b' || at(cell) == 'e';
    }

    /** An energy block, free or linked. */
    public boolean isEnergy(Cell cell) {
        return at(cell) == 'e';
    }

    /** A block that is part of a python's body (rule 3). */
    public boolean isLinked(Cell cell) {
        return isBlock(cell) && isPart(cell);
    }

    /** A free block of any kind, which can be eaten. */
    public boolean isFreeBlock(Cell cell) {
        return isBlock(cell) && !isPart(cell);
    }

    private byte at(Cell cell) {
        return isInside(cell) ? field[spot(cell)] : OUTSIDE;
    }

    private int spot(Cell cell) {
        return (cell.y + 1) * width + cell.x + 1;
    }

    private Cell cell(int spot) {
        return new Cell(spot % width - 1, spot / width - 1);
    }

    private boolean isPart(Cell cell) {
        return isInside(cell) && parts()[spot(cell)] != 0;
    }

    private int[] parts() {
        if (parts == null) {
            int[] found = new int[field.length];
            for (Python python : pythons) {
                for (Cell cell : python.cells) {
                    found[spot(cell)] = 1 + python.index;
                }
            }
            parts = found;
        }
        return parts;
    }

    // Actions, by the rules

    /** What {@code action} would do now for me: see {@link #outcome(char, int)}. */
    public Outcome outcome(char action) {
        return outcome(action, 0);
    }

    /**
     * What {@code action} of the python with that index (0: me) would do now, by rules 8-15.
     *
     * @throws IllegalArgumentException if the action is not one of U L D R N A
     * @throws IndexOutOfBoundsException if there is no such python
     */
    public Outcome outcome(char action, int python) {
        Python mover = pythons.get(python);
        if (action == 'N') {
            return new Outcome(Kind.WAIT, mover.head());
        }
        if (action == 'A') {
            return mover.energy() > 0
                ? new Outcome(Kind.SHIELD, mover.head())
                : Outcome.skip(mover.head(), Why.NO_ENERGY);
        }
        Cell target = mover.head().neighbour(action);
        switch (at(target)) {
            case '.':
                return new Outcome(Kind.MOVE, target);
            case 'R':
                return new Outcome(Kind.DELIVER, target, mover.value(), Why.NONE, NOBODY);
            case OUTSIDE:
                return Outcome.skip(target, Why.EDGE);
            case 'W':
                return Outcome.skip(target, Why.WALL);
            case 'p':
                return Outcome.skip(target, Why.HEAD);
            default:
                return meal(mover, target);
        }
    }

    /** The outcome of a move to a block (rules 10-12 and 15). */
    private Outcome meal(Python mover, Cell target) {
        for (Python owner : pythons) {
            int place = owner.cells.indexOf(target);
            if (place < 0) {
                continue;
            }
            if (target.equals(owner.tail())) { // its own tail moves away in time (rule 12); a rival's cannot be bitten
                return owner == mover ? new Outcome(Kind.MOVE, target) : Outcome.skip(target, Why.TAIL);
            }
            if ((owner == mover ? shieldAtTurn(owner) : owner.shield) > 0) {
                return Outcome.skip(target, Why.SHIELD);
            }
            int lost = owner.length() - place;
            return new Outcome(Kind.BITE, target, owner == mover ? 0 : lost, Why.NONE, owner.index);
        }
        return new Outcome(Kind.EAT, target);
    }

    /** Whether my head would move there: see {@link #canMove(char, int)}. */
    public boolean canMove(char direction) {
        return canMove(direction, 0);
    }

    /**
     * Whether the head would move there, by a move, a meal or a bite. A head never enters a reactor: see {@link
     * #outcome}.
     *
     * @throws IllegalArgumentException if the direction is not one of the six letters
     * @throws IndexOutOfBoundsException if there is no such python
     */
    public boolean canMove(char direction, int python) {
        Kind kind = outcome(direction, python).kind;
        return kind == Kind.MOVE || kind == Kind.EAT || kind == Kind.BITE;
    }

    /** The board after that action of mine: see {@link #after(char, int)}. */
    public AreaInfo after(char action) {
        return after(action, 0);
    }

    /**
     * The board after that action of that python. My index stays 0.
     *
     * <p>Blocks that would return (delivered, or used for a shield) are missing, since chance decides where (rule 16).
     * Shield clocks are updated. The board of a request is in the middle of my turn; every other call of {@code after}
     * begins a turn of its python, so its counter is decreased first (rule 7). For points, see {@link #outcome}.
     *
     * @throws IllegalArgumentException if the action is not one of U L D R N A
     * @throws IndexOutOfBoundsException if there is no such python
     */
    public AreaInfo after(char action, int python) {
        Outcome done = outcome(action, python);
        List<Python> all = new ArrayList<>(pythons);
        byte[] cleared = field.clone();
        char taken = (char) at(done.target);
        if (done.victim != NOBODY) {
            Python loser = all.get(done.victim);
            int left = loser.cells.indexOf(done.target);
            List<Cell> kept = new ArrayList<>(loser.cells.subList(0, left));
            all.set(done.victim, new Python(loser.index, loser.shield, kept, loser.blocks.substring(0, left - 1)));
        }
        Python mover = all.get(python);
        List<Cell> cells = new ArrayList<>(mover.cells);
        String blocks = mover.blocks;
        int shield = shieldAtTurn(mover);
        switch (done.kind) {
            case MOVE:
                cells.add(0, done.target);
                cells.remove(cells.size() - 1);
                break;
            case EAT:
            case BITE:
                cells.add(0, done.target);
                blocks = taken + blocks;
                break;
            case DELIVER:
                cells = new ArrayList<>(cells.subList(0, 1));
                blocks = "";
                break;
            case SHIELD: // removes the energy block nearest to the head, and the chain closes up (rule 14)
                cells.remove(cells.size() - 1);
                blocks = blocks.replaceFirst("e", "");
                shield += SHIELD_TURNS;
                break;
            default: // the python does not change
        }
        for (Cell cell : mover.cells) {
            cleared[spot(cell)] = '.';
        }
        for (int at = 0; at < cells.size(); at++) {
            cleared[spot(cells.get(at))] = at == 0 ? (byte) 'p' : (byte) blocks.charAt(at - 1);
        }
        all.set(python, new Python(python, shield, cells, blocks));
        return new AreaInfo(size, cleared, all, NOBODY, turn, answerEnds, totalEnds);
    }

    private int shieldAtTurn(Python python) {
        return ticked == python.index ? python.shield : Math.max(0, python.shield - 1);
    }

    // Paths. They lead through empty cells, free blocks and my own tail. Anything else except a wall can only be their
    // end.

    /**
     * The number of moves from {@code start} to each reachable cell, if all others stand still.
     *
     * <p>Reactors, heads and linked blocks also have a distance, as ends of paths: the third move delivers to a reactor
     * at distance 3. The map contains only reachable cells, the nearest first.
     *
     * @throws IllegalArgumentException if {@code start} is off the field
     */
    public Map<Cell, Integer> distances(Cell start) {
        Search search = search(start);
        if (search.distances == null) {
            Map<Cell, Integer> found = new LinkedHashMap<>(2 * search.reached);
            for (int at = 0; at < search.reached; at++) {
                found.put(cell(search.order[at]), search.distance[search.order[at]]);
            }
            search.distances = Collections.unmodifiableMap(found);
        }
        return search.distances;
    }

    /** A shortest path from my head: see {@link #path(Cell, Cell)}. */
    public List<Cell> path(Cell to) {
        return path(to, me().head());
    }

    /**
     * A shortest path from {@code start}: its cells, without {@code start} and with {@code to}; empty if there is none.
     *
     * @throws IllegalArgumentException if {@code start} is off the field
     */
    public List<Cell> path(Cell to, Cell start) {
        Search search = search(start);
        List<Cell> way = new ArrayList<>();
        if (isInside(to) && search.before[spot(to)] != 0) {
            for (int spot = spot(to); spot != spot(start); spot = search.before[spot]) {
                way.add(cell(spot));
            }
        }
        Collections.reverse(way);
        return Collections.unmodifiableList(way);
    }

    /** The direction of my first move to the nearest of the cells; 'N' if none is reachable or I am already there. */
    public char stepTowards(Iterable<Cell> cells) {
        Cell head = me().head();
        Search search = search(head);
        Cell nearest = null;
        int least = 0;
        for (Cell cell : cells) {
            if (isInside(cell) && search.before[spot(cell)] != 0) {
                int distance = search.distance[spot(cell)];
                if (nearest == null || distance < least || distance == least && cell.compareTo(nearest) < 0) {
                    nearest = cell;
                    least = distance;
                }
            }
        }
        if (least == 0) {
            return 'N';
        }
        Cell first = path(nearest).get(0);
        for (char direction : DIRECTIONS) {
            if (head.neighbour(direction).equals(first)) {
                return direction;
            }
        }
        throw new AssertionError("the first cell of a way is beside its start");
    }

    /**
     * The direction of my first move to the first reachable goal; {@link #anyMove} if there is none.
     *
     * <p>Each goal is a group of cells, the most important first, as in
     * {@code area.firstStep(area.freeBlocks(), area.reactors())}. The next group counts only if no cell of a group is
     * reachable. Within a group, the nearest cell counts.
     */
    @SafeVarargs
    public final char firstStep(Iterable<Cell>... goals) {
        for (Iterable<Cell> cells : goals) {
            char step = stepTowards(cells);
            if (step != 'N') {
                return step;
            }
        }
        return anyMove();
    }

    /**
     * A direction in which my head can move: to an empty cell or my tail, or else to a free block, or else by a bite.
     *
     * <p>So a python without a goal keeps moving, and a trapped one bites its way out. 'N' if no move is possible.
     */
    public char anyMove() {
        for (Kind kind : List.of(Kind.MOVE, Kind.EAT, Kind.BITE)) {
            for (char direction : DIRECTIONS) {
                if (outcome(direction).kind == kind) {
                    return direction;
                }
            }
        }
        return 'N';
    }

    private Search search(Cell start) {
        if (!isInside(start)) {
            throw new IllegalArgumentException("the cell " + start + " is off the field of " + size + " x " + size);
        }
        return searches.computeIfAbsent(spot(start), this::searchFrom);
    }

    private Search searchFrom(int root) {
        Search search = new Search(field.length);
        byte[] open = ways();
        int[] steps = {-width, -1, width, 1}; // U L D R
        search.before[root] = root;
        search.order[0] = root;
        search.reached = 1;
        for (int at = 0; at < search.reached; at++) {
            int spot = search.order[at];
            if (open[spot] == THROUGH || spot == root) {
                for (int step : steps) {
                    int beside = spot + step;
                    if (open[beside] != CLOSED && search.before[beside] == 0) {
                        search.before[beside] = spot;
                        search.distance[beside] = search.distance[spot] + 1;
                        search.order[search.reached++] = beside;
                    }
                }
            }
        }
        return search;
    }

    private byte[] ways() {
        if (ways == null) {
            byte[] found = new byte[field.length];
            for (int spot = 0; spot < field.length; spot++) {
                byte letter = field[spot];
                found[spot] = letter == '.' || letter == 'b' || letter == 'e' ? THROUGH : letter == 'R' ? END : CLOSED;
            }
            for (Python python : pythons) {
                for (Cell cell : python.cells) {
                    found[spot(cell)] = END;
                }
            }
            if (me().length() > 1) {
                found[spot(me().tail())] = THROUGH;
            }
            ways = found;
        }
        return ways;
    }
}
