import java.io.FileOutputStream;
import java.io.FileDescriptor;
import java.util.Arrays;

/** Writes output without end and without a line feed. */
class Floods {
    public static void main(String[] args) throws Exception {
        byte[] much = new byte[1 << 20];
        Arrays.fill(much, (byte) 'N');
        System.in.read();
        FileOutputStream output = new FileOutputStream(FileDescriptor.out);
        while (true)
            output.write(much);
    }
}
