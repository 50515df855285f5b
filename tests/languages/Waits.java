import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;

/** A player of SnakeCore that waits, in Java. */
public class Waits {
    public static void main(String[] arguments) throws IOException {
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in));
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            if (line.equals("getName")) {
                System.out.println("in Java");
                continue;
            }
            int size = Integer.parseInt(in.readLine());
            long heads = 0;
            for (int y = 0; y < size; y++) {
                heads += in.readLine().chars().filter(cell -> cell == 'p').count();
            }
            for (; heads > 0; heads--) {
                in.readLine();
            }
            System.out.println("N");
        }
    }
}
