import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.channels.Selector;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;

/** Features that a Java player may use: pools of threads, parallel streams, collection of garbage, selectors, random numbers. */
public class Rich {
    public static void main(String[] arguments) throws Exception {
        String line = new BufferedReader(new InputStreamReader(System.in)).readLine();
        var pool = Executors.newFixedThreadPool(8);
        List<Future<Integer>> sums = new ArrayList<>();
        for (int i = 0; i < 50; i++) {
            int number = i;
            sums.add(pool.submit(() -> number * number));
        }
        int total = 0;
        for (var sum : sums) total += sum.get();
        pool.shutdown();
        long streamed = IntStream.range(0, 200_000).parallel().filter(i -> i % 3 == 0).count();
        byte[][] garbage = new byte[16][];
        for (int i = 0; i < 400; i++) garbage[i % 16] = new byte[1 << 20];
        System.gc();
        new SecureRandom().nextBytes(garbage[0]);
        try (var selector = Selector.open()) {
            selector.selectNow();
        }
        var bean = java.lang.management.ManagementFactory.getThreadMXBean();
        boolean timed = bean.getCurrentThreadCpuTime() > 0;
        int size = Files.readAllBytes(Path.of(arguments[0])).length;
        if (total == 40425 && streamed == 66667 && timed && size > 0) System.out.println("played " + line);
    }
}
