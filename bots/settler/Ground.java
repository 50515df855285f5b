import java.util.Arrays;
import java.util.List;

/**
 * Everything that never changes in a match: walls, reactors, and the distances between cells, ignoring bodies, because they
 * move on. A cell is the number y * size + x; distances are in moves.
 */
final class Ground {
    /** Further away than any cell. */
    static final int FAR = 1_000_000;

    final int size;
    final int[][] near; // the open neighbours of each cell
    final boolean[] reactor;
    private final int[] home;
    private final int[][] moves;

    Ground(AreaInfo area) {
        size = area.size();
        near = new int[size * size][];
        reactor = new boolean[near.length];
        home = new int[near.length];
        moves = new int[near.length][];
        for (int number = 0; number < near.length; number++) {
            AreaInfo.Cell cell = new AreaInfo.Cell(number % size, number / size);
            int[] open = new int[AreaInfo.DIRECTIONS.size()];
            int count = 0;
            for (char direction : AreaInfo.DIRECTIONS) {
                AreaInfo.Cell beside = cell.neighbour(direction);
                if (area.isInside(beside) && !area.isWall(beside)) {
                    open[count++] = number(beside);
                }
            }
            near[number] = Arrays.copyOf(open, count);
            reactor[number] = area.isReactor(cell);
        }
        spread(home, area.reactors());
    }

    int number(AreaInfo.Cell cell) {
        return cell.y() * size + cell.x();
    }

    /** The number of moves from there to a delivery; FAR if no reactor is reachable. */
    int home(int cell) {
        return home[cell];
    }

    /** The number of moves from there to each cell. */
    int[] moves(int from) {
        if (moves[from] == null) {
            moves[from] = new int[near.length];
            spread(moves[from], List.of(new AreaInfo.Cell(from % size, from / size)));
        }
        return moves[from];
    }

    /** Fills in the moves from the nearest of the sources. A reactor is only the end or the source of a path. */
    private void spread(int[] distance, List<AreaInfo.Cell> sources) {
        int[] queue = new int[near.length];
        int reached = 0;
        Arrays.fill(distance, FAR);
        for (AreaInfo.Cell source : sources) {
            distance[number(source)] = 0;
            queue[reached++] = number(source);
        }
        for (int at = 0; at < reached; at++) {
            int cell = queue[at];
            if (reactor[cell] && distance[cell] > 0) {
                continue;
            }
            for (int beside : near[cell]) {
                if (distance[beside] == FAR) {
                    distance[beside] = distance[cell] + 1;
                    queue[reached++] = beside;
                }
            }
        }
    }
}
