/** Reads boards with the SDK and waits. Logs the nanoseconds of the second half of REQUESTS. */
class Main extends JBot {
    private final int requests = Integer.parseInt(System.getenv("REQUESTS"));
    private int turns;
    private long began;

    @Override
    String getName() {
        return "Reader";
    }

    @Override
    char getAction(AreaInfo area) {
        turns++;
        if (turns == requests / 2) {
            began = System.nanoTime();
        } else if (turns == requests) {
            System.err.println(System.nanoTime() - began);
        }
        return 'N';
    }
}
