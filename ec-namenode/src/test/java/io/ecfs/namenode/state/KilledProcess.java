package io.ecfs.namenode.state;

import io.ecfs.namenode.log.ReplicatedState.Position;
import io.ecfs.namenode.store.rocks.RocksSettings;
import io.ecfs.namenode.store.rocks.RocksStore;
import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CountDownLatch;

/** Applies a log to a store from where the store is, says how far it came, and then waits to be killed. */
final class KilledProcess {
    static final int CHECKPOINT_EVERY = 70;

    private KilledProcess() {}

    public static void main(String[] arguments) throws IOException, InterruptedException {
        byte[] log = Files.readAllBytes(Path.of(arguments[0]));
        Path directory = Path.of(arguments[1]);
        MetadataState state = new MetadataState(new RocksStore(directory, RocksSettings.DEFAULT));
        long applied = state.applied().index();
        try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(log))) {
            for (int index = 0; in.available() > 0; index++) {
                byte[] command = in.readNBytes(in.readInt());
                if (index > applied) {
                    state.apply(new Position(1, index), List.of(command));
                    if ((index + 1) % CHECKPOINT_EVERY == 0) {
                        state.checkpoint(directory.resolveSibling("checkpoint-" + applied + "-" + index));
                    }
                }
                System.out.println("applied " + index);
            }
        }
        new CountDownLatch(1).await();
    }
}
