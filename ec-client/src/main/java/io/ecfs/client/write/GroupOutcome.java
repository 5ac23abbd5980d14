package io.ecfs.client.write;

import io.ecfs.error.EcfsException;
import io.ecfs.message.namespace.SealedGroup;

/** The outcome of a step of a {@link GroupWriter}. */
sealed interface GroupOutcome {
    GroupOutcome GOES_ON = new GoesOn();
    GroupOutcome WAITS = new Waits();
    GroupOutcome NEEDS_SYNC = new NeedsSync();
    GroupOutcome INCOMPLETE = new Incomplete();

    /** The next step can be taken. */
    record GoesOn() implements GroupOutcome {}

    /** An event must come first. */
    record Waits() implements GroupOutcome {}

    /** Groups before this one must be put on disk first. */
    record NeedsSync() implements GroupOutcome {}

    /** Not all chunks could be created, or put. */
    record Incomplete() implements GroupOutcome {}

    /**
     * The chunks that live are published, or the group is empty.
     *
     * @param group to be sealed
     */
    record Published(SealedGroup group) implements GroupOutcome {}

    /** Too few chunks are left to acknowledge the group, and nothing of it was: its bytes must go to another. */
    record Unsafe() implements GroupOutcome {}

    /** Too few chunks are left to write on, and some of the group was acknowledged. */
    record TooFewLeft() implements GroupOutcome {}

    /**
     * The file was taken from this writer.
     *
     * @param by the answer of the datanode that knows a later writer
     */
    record Fenced(EcfsException by) implements GroupOutcome {}

    /**
     * The namenode does not say that the group is this writer's.
     *
     * @param refusal its answer
     */
    record NotClaimed(EcfsException refusal) implements GroupOutcome {}
}
