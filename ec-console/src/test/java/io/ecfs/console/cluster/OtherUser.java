package io.ecfs.console.cluster;

import io.ecfs.client.EcfsClient;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * A process that reads a file and has no way into the datanodes' directories. Its user is still root, so that it finds
 * its classes; without root's right to pass over permissions (CAP_DAC_OVERRIDE) it has no more rights in another user's
 * directories than anybody.
 */
final class OtherUser {
    private static final int ROUNDS = 200;
    private static final long PATIENCE_SECONDS = 120;
    private static final int NOBODY = 65_534;

    private OtherUser() {}

    /**
     * {@code URI PATH SEED LENGTH}: reads until a round takes each byte once and from a file, or as often as it takes
     * to know that none does. A round takes more when a chunk is late and spare chunks are read beside it.
     */
    public static void main(String[] arguments) throws IOException {
        byte[] file = Pattern.bytes(Long.parseLong(arguments[2]), Integer.parseInt(arguments[3]));
        long local = 0;
        try (EcfsClient client = TestCluster.client(arguments[0])) {
            for (int round = 0; round < ROUNDS && local != file.length; round++) {
                long before = client.locallyReadBytes();
                if (!Arrays.equals(TestCluster.read(client, arguments[1]), file)) {
                    throw new IllegalStateException("other bytes in round " + round);
                }
                local = client.locallyReadBytes() - before;
            }
        }
        System.out.println("local=" + local);
    }

    /** Whether such a process can be started here. */
    static boolean possible() {
        return System.getProperty("user.name").equals("root") && Files.isExecutable(Path.of("/usr/bin/setpriv"));
    }

    /** Gives directories to somebody else. */
    static void giveAway(List<Path> directories) throws IOException {
        for (Path directory : directories) {
            Files.setAttribute(directory, "unix:uid", NOBODY);
        }
    }

    /** What the process printed; it must end well. */
    static String read(Path output, String uri, String path, long seed, int length) throws Exception {
        Process process = new ProcessBuilder(
                        "/usr/bin/setpriv",
                        "--bounding-set=-dac_override,-dac_read_search",
                        Path.of(System.getProperty("java.home"), "bin/java").toString(),
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        System.getProperty("java.class.path"),
                        OtherUser.class.getName(),
                        uri,
                        path,
                        Long.toString(seed),
                        Integer.toString(length))
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        if (!process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
            process.destroyForcibly();
        }
        String printed = Files.readString(output);
        if (process.waitFor() != 0) {
            throw new AssertionError("the other user's process failed: " + printed);
        }
        return printed;
    }
}
