import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * Answers the vectors' calls by AreaInfo: one call a line on stdin, one answer a line on stdout.
 *
 * <p>A byte is a character, as in a request. Calls that AreaInfo refuses are answered by "error"; a line that is no
 * call ends the program with status 1.
 */
final class Driver {
    private AreaInfo area;

    private Driver() {}

    public static void main(String[] arguments) throws IOException {
        String said = new String(System.in.readAllBytes(), StandardCharsets.ISO_8859_1);
        Iterator<String> lines = Arrays.asList(said.split("\n", -1)).iterator();
        Driver driver = new Driver();
        StringBuilder answers = new StringBuilder();
        while (lines.hasNext()) {
            String line = lines.next().strip();
            if (!line.isEmpty()) {
                answers.append(driver.answer(line.split(" +"), lines)).append('\n');
            }
        }
        System.out.write(answers.toString().getBytes(StandardCharsets.UTF_8));
        System.out.flush();
    }

    private String answer(String[] words, Iterator<String> lines) {
        List<String> rest = Arrays.asList(words).subList(1, words.length);
        try {
            switch (words[0]) {
                case "area":
                    area = AreaInfo.parse(take(lines, number(rest, 0)));
                    return "ok";
                case "after":
                    area = area.after(letter(rest, 0), number(rest, 1));
                    return "ok";
                case "index":
                case "shield":
                case "cells":
                case "blocks":
                case "head":
                case "tail":
                case "body":
                case "length":
                case "energy":
                case "value":
                    return ofPython(words[0], area.pythons().get(number(rest, 0)));
                case "outcome":
                    return shown(area.outcome(letter(rest, 0), number(rest, 1)));
                case "can_move":
                    return "" + area.canMove(letter(rest, 0), number(rest, 1));
                case "step_towards":
                    return "" + area.stepTowards(cells(rest));
                case "first_step":
                    return "" + area.firstStep(groups(rest));
                default:
                    return rest.isEmpty() ? ofBoard(words[0]) : ofCell(words[0], rest);
            }
        } catch (IllegalArgumentException refused) {
            return "error";
        }
    }

    private String ofBoard(String call) {
        switch (call) {
            case "size":
                return "" + area.size();
            case "turn":
                return "" + area.turn();
            case "text":
                return area.toString().replace('\n', '/');
            case "pythons":
                return shown(area.pythons());
            case "me":
                return "" + area.me().index();
            case "rivals":
                return shown(area.rivals());
            case "reactors":
                return shown(area.reactors());
            case "free_blocks":
                return shown(area.freeBlocks());
            case "free_energy":
                return shown(area.freeEnergy());
            case "any_move":
                return "" + area.anyMove();
            default:
                throw new IllegalStateException("not a call: " + call);
        }
    }

    private String ofCell(String call, List<String> rest) {
        AreaInfo.Cell cell = cell(rest, 0);
        switch (call) {
            case "owner":
                AreaInfo.Python owner = area.owner(cell);
                return owner == null ? "-" : "" + owner.index();
            case "is_inside":
                return "" + area.isInside(cell);
            case "is_wall":
                return "" + area.isWall(cell);
            case "is_reactor":
                return "" + area.isReactor(cell);
            case "is_empty":
                return "" + area.isEmpty(cell);
            case "is_head":
                return "" + area.isHead(cell);
            case "is_block":
                return "" + area.isBlock(cell);
            case "is_energy":
                return "" + area.isEnergy(cell);
            case "is_linked":
                return "" + area.isLinked(cell);
            case "is_free_block":
                return "" + area.isFreeBlock(cell);
            case "neighbour":
                return shown(cell.neighbour(letter(rest, 2)));
            case "distances":
                return shown(area.distances(cell));
            case "path":
                return shown(rest.size() == 2 ? area.path(cell) : area.path(cell, cell(rest, 2)));
            default:
                throw new IllegalStateException("not a call: " + call);
        }
    }

    private static String ofPython(String call, AreaInfo.Python python) {
        switch (call) {
            case "index":
                return "" + python.index();
            case "shield":
                return "" + python.shield();
            case "cells":
                return shown(python.cells());
            case "blocks":
                return python.blocks().isEmpty() ? "-" : python.blocks();
            case "head":
                return shown(python.head());
            case "tail":
                return shown(python.tail());
            case "body":
                return shown(python.body());
            case "length":
                return "" + python.length();
            case "energy":
                return "" + python.energy();
            default:
                return "" + python.value();
        }
    }

    // Reading

    private static List<String> take(Iterator<String> lines, int count) {
        List<String> taken = new ArrayList<>();
        while (taken.size() < count) {
            taken.add(lines.next());
        }
        return taken;
    }

    private static int number(List<String> words, int place) {
        return Integer.parseInt(words.get(place));
    }

    private static char letter(List<String> words, int place) {
        return words.get(place).length() == 1 ? words.get(place).charAt(0) : '?';
    }

    private static AreaInfo.Cell cell(List<String> words, int place) {
        return new AreaInfo.Cell(number(words, place), number(words, place + 1));
    }

    private static List<AreaInfo.Cell> cells(List<String> words) {
        List<AreaInfo.Cell> cells = new ArrayList<>();
        for (int place = 0; place < words.size(); place += 2) {
            cells.add(cell(words, place));
        }
        return cells;
    }

    /** The groups of cells between lone slashes. An array of lists, because that is what a call of many goals takes. */
    @SuppressWarnings({"unchecked", "rawtypes"})
    private static List<AreaInfo.Cell>[] groups(List<String> words) {
        List<List<AreaInfo.Cell>> groups = new ArrayList<>();
        int from = 0;
        for (int place = 0; place <= words.size(); place++) {
            if (place == words.size() || words.get(place).equals("/")) {
                groups.add(cells(words.subList(from, place)));
                from = place + 1;
            }
        }
        return groups.toArray(new List[0]);
    }

    // Writing

    private static String shown(AreaInfo.Cell cell) {
        return cell.x() + "," + cell.y();
    }

    private static String shown(AreaInfo.Outcome outcome) {
        return String.join(
            " ",
            outcome.kind().toString(),
            shown(outcome.target()),
            "" + outcome.points(),
            outcome.why() == AreaInfo.Why.NONE ? "-" : outcome.why().toString(),
            outcome.victim() < 0 ? "-" : "" + outcome.victim());
    }

    /** Cells, or pythons by their indices. */
    private static String shown(Collection<?> things) {
        return things.isEmpty() ? "-" : things.stream().map(Driver::word).collect(Collectors.joining(" "));
    }

    private static String word(Object thing) {
        return thing instanceof AreaInfo.Cell ? shown((AreaInfo.Cell) thing) : "" + ((AreaInfo.Python) thing).index();
    }

    private static String shown(Map<AreaInfo.Cell, Integer> distances) {
        return distances.keySet().stream()
            .sorted(Comparator.comparing(AreaInfo.Cell::y).thenComparing(AreaInfo.Cell::x))
            .map(cell -> shown(cell) + "=" + distances.get(cell))
            .collect(Collectors.joining(" "));
    }
}
