package io.ecfs.message.chunk;

import io.ecfs.layout.ChunkId;
import io.ecfs.message.Address;
import java.util.Objects;

/** A chunk that a datanode writes for a client, and the datanode that has it. */
public record RelayTarget(ChunkId chunk, Address address) {
    public RelayTarget {
        Objects.requireNonNull(chunk, "chunk");
        Objects.requireNonNull(address, "address");
    }
}
