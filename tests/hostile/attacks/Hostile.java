import java.io.*;
import java.net.*;
import java.nio.ByteBuffer;
import java.nio.file.*;
import java.security.SecureRandom;
import java.util.*;
import java.util.concurrent.CountDownLatch;
import java.util.regex.*;

/** Attacks that a Java bot might try. Orders and results are as in attack.h; each case is an attack. */
class Hostile {
    private static final Map<String, String> targets = new HashMap<>();

    public static void main(String[] args) throws Exception {
        BufferedReader orders = new BufferedReader(new InputStreamReader(System.in));
        for (String order; (order = orders.readLine()) != null;) {
            String[] words = order.split(" ");
            for (String word : words)
                if (word.contains("="))
                    targets.put(word.substring(0, word.indexOf('=')), word.substring(word.indexOf('=') + 1));
            try {
                attempt(words[0]);
                System.out.println("hit " + words[0]);
            } catch (Throwable refused) {
                System.out.println("refused " + words[0] + " " + reason(refused));
            }
            System.out.flush();
        }
        Runtime.getRuntime().halt(0);
    }

    private static void attempt(String name) throws Throwable {
        switch (name) {
            case "java_exec" -> Runtime.getRuntime().exec(new String[] {"/usr/bin/true"}).waitFor();
            case "java_processes" -> {
                if (ProcessHandle.allProcesses().filter(each -> each.pid() != ProcessHandle.current().pid()).count() == 0)
                    throw new IOException("error=2, sees nobody");
            }
            case "java_socket" -> new Socket("127.0.0.1", Integer.parseInt(targets.get("tcp"))).close();
            case "java_read_secret" -> Files.readAllBytes(Path.of(targets.get("secret")));
            case "java_write_folder" -> Files.delete(Files.writeString(Path.of("learned.txt"), "x"));
            case "java_threads" -> threads();
            case "java_heap" -> hoard(false);
            case "java_direct_memory" -> hoard(true);
            case "java_exit_hook" -> Runtime.getRuntime().addShutdownHook(new Thread(() -> { }));
            case "java_randomness" -> new SecureRandom().nextBytes(new byte[1 << 16]);
            default -> throw new IllegalArgumentException(name);
        }
    }

    private static void threads() throws InterruptedException {
        CountDownLatch gate = new CountDownLatch(1);
        try {
            for (int i = 0; i < 200; i++) {
                Thread thread = new Thread(null, () -> {
                    try {
                        gate.await();
                    } catch (InterruptedException ignored) {
                    }
                }, "t" + i, 1 << 16);
                thread.setDaemon(true);
                thread.start();
            }
        } finally {
            gate.countDown();
        }
    }

    private static void hoard(boolean direct) {
        List<Object> hoard = new ArrayList<>();
        for (int i = 0; i < 96 * 8; i++)
            hoard.add(direct ? ByteBuffer.allocateDirect(1 << 20) : new byte[1 << 20]);
    }

    /** The errno in the message, or the name of the exception. */
    private static String reason(Throwable refused) {
        String text = String.valueOf(refused.getMessage());
        Matcher number = Pattern.compile("error=(\\d+)").matcher(text);
        if (refused instanceof OutOfMemoryError)
            return refused.getClass().getSimpleName();
        if (number.find())
            return Map.of("1", "EPERM", "2", "ENOENT", "13", "EACCES").getOrDefault(number.group(1), text);
        if (text.contains("not permitted"))
            return "EPERM";
        if (text.contains("No such file") || refused instanceof NoSuchFileException)
            return "ENOENT";
        if (text.contains("Permission denied") || refused instanceof AccessDeniedException)
            return "EACCES";
        if (text.contains("Read-only"))
            return "EROFS";
        return refused.getClass().getSimpleName();
    }
}
