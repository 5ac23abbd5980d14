package io.ecfs.namenode.log;

import java.nio.file.Path;
import java.util.List;

/**
 * The state that the log drives. Applying is deterministic: the same entries from the same state give the same answers
 * and the same {@link #stateHash()}. One thread calls {@link #apply}; reads may come from others.
 */
public interface ReplicatedState {
    /** Position in the log. {@code index} -1: nothing applied yet. */
    record Position(long term, long index) {}

    /**
     * Applies one log entry of one or more commands together with its position, in one atomic step. The log makes it
     * durable: after a crash the state may be at an earlier {@link #applied()} position, never at half an entry, and
     * the log applies the rest again. Nothing after the newest {@link #checkpoint} may be purged from the log.
     *
     * <p>Throws when the disk fails, and {@link StateStopped} when the entry cannot be read or the facts differ from
     * those of other members; nothing of the entry is stored then, and every later call throws too.
     *
     * @return one answer for each command, in order
     */
    List<byte[]> apply(Position position, List<byte[]> commands);

    /** Notes an entry without commands (a configuration change), so that the applied position has no gap. */
    void skip(Position position);

    Position applied();

    /**
     * Writes a self-contained copy of the state into a directory that does not exist yet; answers its position. The
     * state itself is durable up to that position from then on. Called by the thread that applies.
     */
    Position checkpoint(Path directory);

    /**
     * Replaces the whole state by a checkpoint, all or nothing; the directory stays as it is. Called by the thread that
     * applies.
     */
    void install(Path directory);

    /** True when an entry asked for a checkpoint, until one is made or installed. */
    default boolean wantsCheckpoint() {
        return false;
    }

    /** A hash over all facts, the same on every namenode that applied the same entries. */
    long stateHash();
}
