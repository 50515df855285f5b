import java.io.*;

/** Starts as many threads as it can, and then plays. */
class Threads {
    public static void main(String[] args) throws IOException {
        try {
            for (int i = 0; i < 1000; i++) {
                Thread thread = new Thread(null, Threads::rest, "t" + i, 1 << 16);
                thread.setDaemon(true);
                thread.start();
            }
        } catch (OutOfMemoryError enough) {
            System.err.println(enough.getMessage());
        }
        BufferedReader input = new BufferedReader(new InputStreamReader(System.in));
        for (String line; (line = input.readLine()) != null;) {
            if (line.equals("getAction")) {
                int pythons = 0;
                for (int rows = Integer.parseInt(input.readLine()); rows > 0; rows--)
                    pythons += input.readLine().chars().filter(cell -> cell == 'p').count();
                while (pythons-- > 0)
                    input.readLine();
            }
            System.out.print(line.equals("getName") ? "bot\n" : "N\n");
            System.out.flush();
        }
    }

    private static void rest() {
        try {
            Thread.sleep(Long.MAX_VALUE);
        } catch (InterruptedException ended) {
        }
    }
}
