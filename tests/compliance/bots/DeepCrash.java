import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;

/** Throws an exception that it does not catch, fifteen calls deep. */
class DeepCrash {
    public static void main(String[] args) throws IOException {
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in));
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            if (line.equals("getName")) {
                System.out.println("bot");
                System.out.flush();
            } else if (line.equals("getAction")) {
                dig(15);
            }
        }
    }

    private static int dig(int depth) {
        return depth == 0 ? (new int[0])[depth] : dig(depth - 1) + 1;
    }
}
