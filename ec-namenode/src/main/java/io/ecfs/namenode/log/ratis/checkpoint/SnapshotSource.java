package io.ecfs.namenode.log.ratis.checkpoint;

import io.ecfs.message.snapshot.SnapshotReply;
import io.ecfs.message.snapshot.SnapshotRequest;
import java.io.IOException;
import java.nio.ByteBuffer;

/** A port to other namenodes: asks which log they have, and for their checkpoint. */
public interface SnapshotSource {
    /**
     * Asks and waits for the answer.
     *
     * @param namenode id of the one to ask
     * @throws IOException what the other side answered, or that it cannot be reached
     */
    Answer ask(String namenode, SnapshotRequest request) throws IOException;

    /** @param payload bytes of a {@link SnapshotReply.Bytes}; empty for the others */
    record Answer(SnapshotReply reply, ByteBuffer payload) {}
}
