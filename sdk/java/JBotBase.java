import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.lang.reflect.InvocationTargetException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.function.Supplier;

/**
 * What {@link JBot} and the contest's Jbot have in common: the dialogue with the referee. Bots extend one of those two.
 */
abstract class JBotBase {
    private static final int LONGEST_NAME = 32; // characters
    private static final String LETTERS = "ULDRNA";

    /** The bot's name: at most 32 characters, no control characters. Asked once, before the first request. */
    abstract String getName();

    /** One of the letters U L D R N A (rule 8) for the board of this turn. */
    abstract char getAction(AreaInfo area);

    /**
     * Plays with the bot class that is the first argument ({@code java JBot MyBot}) or was started itself ({@code java
     * MyBot}).
     *
     * @throws IllegalArgumentException if there is no such class or it is not a bot, and like {@link #run}
     */
    public static void main(String[] arguments) {
        String command = arguments.length > 0 ? arguments[0] : System.getProperty("sun.java.command", "");
        serve(() -> make(command.split(" ", 2)[0]));
    }

    /**
     * Answers the referee until it closes the input: getName with the bot's name, getAction with its action.
     *
     * @throws IllegalArgumentException for a name longer than 32 characters or with control characters in it, for
     *     an action that is not one of U L D R N A, and for a request that is neither getName nor getAction or that is
     *     malformed
     */
    public static void run(JBotBase bot) {
        serve(() -> bot);
    }

    private static JBotBase make(String name) {
        try {
            return Class.forName(name).asSubclass(JBotBase.class).getDeclaredConstructor().newInstance();
        } catch (ClassNotFoundException | ClassCastException wrong) {
            throw new IllegalArgumentException("\"" + name + "\" is not a class that extends JBot: run java MyBot", wrong);
        } catch (NoSuchMethodException | InstantiationException | IllegalAccessException wrong) {
            throw new IllegalArgumentException(
                name + " must not be abstract, and needs a constructor without parameters that is not private", wrong);
        } catch (InvocationTargetException failed) {
            throw new IllegalArgumentException("the constructor of " + name + " failed", failed.getCause());
        }
    }

    /** Redirects ordinary output to stderr, creates the bot, and lets it answer. */
    private static void serve(Supplier<JBotBase> maker) {
        PrintStream answers = System.out;
        System.setOut(System.err);
        try {
            answer(maker.get(), new Lines(System.in), answers);
        } finally {
            System.setOut(answers);
        }
    }

    private static void answer(JBotBase bot, Lines requests, PrintStream answers) {
        byte[] name = checkedName(bot.getName());
        int turn = 0;
        double spent = 0;
        double limit = AreaInfo.FIRST_LIMIT;
        for (byte[] line = requests.get(); line != null; line = requests.get()) {
            long began = System.nanoTime();
            String request = new String(line, StandardCharsets.ISO_8859_1);
            byte[] answer = name;
            if (request.equals("getAction")) {
                AreaInfo area = AreaInfo.read(requests, ++turn, limit, AreaInfo.TOTAL_LIMIT - spent);
                if (area == null) {
                    return;
                }
                char action = bot.getAction(area);
                if (LETTERS.indexOf(action) < 0) {
                    throw new IllegalArgumentException(
                        "getAction must return one of U L D R N A, it returned '" + action + "'");
                }
                answer = new byte[] {(byte) action, '\n'};
            } else if (!request.equals("getName")) {
                throw new IllegalArgumentException("the referee sent an unknown request: \"" + request + "\"");
            }
            answers.write(answer, 0, answer.length);
            if (answers.checkError()) { // this flushes too
                throw new UncheckedIOException(new IOException("the referee does not read answers any more"));
            }
            spent += (System.nanoTime() - began) / 1e9;
            limit = AreaInfo.ANSWER_LIMIT;
        }
    }

    /** The name's bytes and the end of the line. */
    private static byte[] checkedName(String name) {
        int length = name.codePointCount(0, name.length());
        if (length > LONGEST_NAME) {
            throw new IllegalArgumentException(
                "the name \"" + name + "\" is longer than " + LONGEST_NAME + " characters: " + length);
        }
        if (name.chars().anyMatch(Character::isISOControl)) {
            throw new IllegalArgumentException("the name \"" + name + "\" contains a control character");
        }
        return (name + "\n").getBytes(StandardCharsets.UTF_8);
    }

    /** The lines of a stream without their ends, LF or CRLF; null after the last one. */
    private static final class Lines implements Supplier<byte[]> {
        private final InputStream stream;
        private byte[] buffer = new byte[1 << 16];
        private int from;
        private int to;

        Lines(InputStream stream) {
            this.stream = stream;
        }

        @Override
        public byte[] get() {
            for (int at = from; ; at++) {
                if (at == to) {
                    int begun = to - from;
                    if (!more()) {
                        return begun > 0 ? line(to) : null;
                    }
                    at = from + begun;
                }
                if (buffer[at] == '\n') {
                    byte[] line = line(at);
                    from = at + 1;
                    return line;
                }
            }
        }

        private byte[] line(int end) {
            int last = end;
            while (last > from && buffer[last - 1] == '\r') {
                last--;
            }
            byte[] line = Arrays.copyOfRange(buffer, from, last);
            from = end;
            return line;
        }

        /** Moves the unread bytes to the start of the buffer, and reads more. False at the end. */
        private boolean more() {
            int left = to - from;
            System.arraycopy(buffer, from, buffer, 0, left);
            if (left == buffer.length) {
                buffer = Arrays.copyOf(buffer, 2 * left);
            }
            from = 0;
            to = left;
            try {
                int count = stream.read(buffer, left, buffer.length - left);
                to = left + Math.max(count, 0);
                return count > 0;
            } catch (IOException failed) {
                throw new UncheckedIOException(failed);
            }
        }
    }
}
