package io.ecfs.torture.load;

import io.ecfs.client.EcfsClient;
import io.ecfs.message.FilePath;
import io.ecfs.torture.history.Answer;
import io.ecfs.torture.history.CallJournal;
import io.ecfs.torture.history.Operation;
import java.io.IOException;
import java.util.SplittableRandom;

/** A process of a history that changes nothing. For one thread. */
public final class ObservingThread {
    private final EcfsClient client;
    private final Calls calls;
    private final SplittableRandom random;

    public ObservingThread(EcfsClient client, CallJournal journal, SplittableRandom random) {
        this.client = client;
        this.calls = new Calls(journal, LoadPlan.MOST_PROCESSES);
        this.random = random;
    }

    public Answer status(String path) throws IOException {
        return calls.make(new Operation.Status(path), () -> ClientThread.seen(client, path));
    }

    /**
     * Reads it whole, by one of the client's ways, when all is healed: what cannot be read then, cell by cell, is lost.
     */
    public Answer read(String path) throws IOException {
        FileReading how = FileReading.any(random);
        return calls.make(new Operation.Read(path, how.how()), () -> {
            Answer read = how.read(client, new FilePath(path), random);
            return read instanceof Answer.Unknown unknown
                    ? ReadInParts.of(client, new FilePath(path)).lost(unknown.reason())
                    : read;
        });
    }
}
