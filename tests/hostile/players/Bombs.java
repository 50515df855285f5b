import java.util.ArrayList;
import java.util.List;

/** Takes memory until there is none. */
class Bombs {
    public static void main(String[] args) {
        List<long[]> hoard = new ArrayList<>();
        while (true)
            hoard.add(new long[1 << 17]);
    }
}
