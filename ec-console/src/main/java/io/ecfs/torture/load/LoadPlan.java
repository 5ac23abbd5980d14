package io.ecfs.torture.load;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.ecfs.client.base.ClientConfig;
import io.ecfs.error.EcfsException;
import io.ecfs.error.ErrorCode;
import io.ecfs.layout.Policy;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Load of one client.
 *
 * @param uri of the cluster
 * @param journal file that its calls go to
 * @param drain while this file exists threads close their open files and open none
 * @param policy of the files, for sizes around its cells' edges
 * @param firstProcess number of its first thread; the others follow. At most {@link #MOST_PROCESSES}
 * @param beginNanos monotonic time that the torture began, as {@code endNanos} when threads make no more calls
 * @param local chunks are read from their files
 */
public record LoadPlan(
        String uri,
        Path journal,
        Path drain,
        Policy policy,
        int firstProcess,
        int threads,
        long seed,
        long beginNanos,
        long endNanos,
        boolean local) {
    /** A process's tags begin with its number. The number itself is the observer's, who has no tags. */
    public static final int MOST_PROCESSES = 1 << 12;

    private static final ObjectMapper JSON = new ObjectMapper();

    static final int TAGS_OF_PROCESS_BITS = 20;

    public LoadPlan {
        if (firstProcess < 0 || threads < 1 || firstProcess + threads > MOST_PROCESSES) {
            throw new IllegalArgumentException("processes are numbered from 0 to " + (MOST_PROCESSES - 1) + ", got "
                    + threads + " from " + firstProcess + " on");
        }
    }

    /** For the process that does it. */
    public void write(Path file) throws IOException {
        Files.createDirectories(file.toAbsolutePath().getParent());
        JSON.writeValue(file.toFile(), this);
    }

    /** @throws EcfsException {@code MALFORMED} for a file of something else */
    public static LoadPlan read(Path file) throws IOException {
        try {
            return JSON.readValue(file.toFile(), LoadPlan.class);
        } catch (JsonProcessingException e) {
            throw new EcfsException(
                    ErrorCode.MALFORMED, file + " is no plan of a torture's client: " + e.getOriginalMessage(), e);
        }
    }

    /** Short patience, so that outcomes become unknown and threads go on while a daemon is away. */
    public ClientConfig client() {
        return ClientConfig.defaults()
                .with(
                        "callTimeout=6s",
                        "namenodeDeadline=15s",
                        "leaseRenewal=2s",
                        "stallAfter=3s",
                        "suspicion=5s",
                        "budgetWait=15s",
                        "writeBudgetBytes=48m",
                        "readBudgetBytes=48m",
                        "readAheadBudgetBytes=16m",
                        "local.on=" + local);
    }
}
