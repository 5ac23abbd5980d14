package io.ecfs.client.read;

import io.ecfs.message.chunk.ChunkLocation;

/** Observes the requests of a span that is read. Called on the client's owner thread. */
public interface SpanWatch {
    SpanWatch NONE = new SpanWatch() {};

    default void asked(ChunkLocation chunk, int bytes) {}

    default void answered(ChunkLocation chunk, long nanos) {}

    /** Others are asked in its place; it may still answer. */
    default void late(ChunkLocation chunk) {}

    default void failed(ChunkLocation chunk, long nanos) {}

    /** The others sufficed. */
    default void calledOff(ChunkLocation chunk, long nanos) {}

    /** Some of the wanted bytes are computed. */
    default void decoding() {}
}
