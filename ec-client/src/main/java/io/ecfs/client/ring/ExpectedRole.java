package io.ecfs.client.ring;

/** What a volume does at present, as far as this client knows. */
public enum ExpectedRole {
    /** It only reads, or is in no ring. */
    READS,
    /** It reads, but the ring turns or turned within the guard time, so that it may write. */
    TURNS,
    /** It writes: reads of it are slow. */
    WRITES
}
