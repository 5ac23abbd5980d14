package io.ecfs.stripe.write;

import io.ecfs.layout.Policy;
import io.ecfs.message.chunk.TailForm;
import java.util.List;

/**
 * Acknowledged bytes of an open group.
 *
 * <pre>
 *   group bytes  |--- full stripes sent ---|-- open stripe, in tail records --|
 *                        ^ settled: no record before this is needed any more
 *                                    ^ onDisk: full stripes before this are on the datanodes' disks
 *                                              ^ acknowledgedOnDisk
 * </pre>
 */
public final class GroupTail {
    /**
     * Records that a writer leaves in tail logs before it settles them: with as many as one stripe may have they are
     * fewer than a datanode takes.
     */
    static final int MOST_UNSETTLED = 8192;

    /** Stripes whose records a writer leaves there: until they are settled their bytes take twice their space. */
    static final int MOST_UNSETTLED_STRIPES = 16;

    private final Policy policy;
    private long sequence;
    private int unsettled;
    private int unsettledStripes; // with records
    private boolean open;
    private boolean untilOnDisk;
    private long acknowledged;
    private long acknowledgedOnDisk;
    private long onDisk;
    private long settled;

    GroupTail(Policy policy) {
        this.policy = policy;
    }

    /**
     * Records stay in the logs until the stripes that replace them are on disk, also where no acknowledgement asked for
     * that: datanodes put records on disk in the background, and what was there once must not leave it.
     */
    public void retainUntilOnDisk() {
        untilOnDisk = true;
    }

    long nextSequence() {
        return sequence++;
    }

    long settled() {
        return settled;
    }

    /** Returns whether records were sent of the stripe that comes next. */
    public boolean open() {
        return open;
    }

    void recordSent() {
        open = true;
        unsettled++;
    }

    /**
     * Whether the logs should be begun anew before the first record of the next stripe: a log goes only whole, and from
     * its first record of a stripe on it has some that are needed.
     */
    public boolean wantsSettling() {
        return !open && (unsettled >= MOST_UNSETTLED || unsettledStripes >= MOST_UNSETTLED_STRIPES);
    }

    void stripeSent() {
        unsettledStripes += open ? 1 : 0;
        open = false;
    }

    /** Returns whether anything of the group was acknowledged. */
    public boolean acknowledgedAnything() {
        return acknowledged > 0;
    }

    /**
     * Whether anything of the group was acknowledged as being on disk. Then all of it goes there before its chunks are
     * published: names and headers that reach the disk before the bytes that were added since would make a chunk of it
     * that is shorter than its header says.
     */
    public boolean acknowledgedAnythingOnDisk() {
        return acknowledgedOnDisk > 0;
    }

    /**
     * Returns whether records of this group were acknowledged as being on disk while the stripes that replace them are
     * not.
     */
    public boolean owesSync() {
        return acknowledgedOnDisk > onDisk;
    }

    /**
     * What was sent is acknowledged by all chunks that live.
     *
     * @param stripes bytes of full stripes sent
     * @param end of the records sent
     * @param sync all of it is on disk
     */
    void onAcknowledged(long stripes, long end, boolean sync) {
        acknowledged = Math.max(acknowledged, end);
        if (sync) {
            onDisk = stripes;
            acknowledgedOnDisk = acknowledged; // also what earlier flushes sent
        }
        if (untilOnDisk ? sync : !owesSyncOf(stripes)) {
            settled = stripes;
            unsettled = open ? unsettled : 0;
            unsettledStripes = open ? unsettledStripes : 0;
        }
    }

    /** All that was sent is on disk, the tail cells among it. */
    void allOnDisk(long length) {
        onDisk = length;
    }

    private boolean owesSyncOf(long stripes) {
        return Math.min(acknowledgedOnDisk, stripes) > onDisk;
    }

    /** Those of the chunks, in the order of their indexes, that get a record of the stripe that begins there. */
    List<Integer> holders(List<Integer> live, TailForm form, long stripeBegin) {
        if (form == TailForm.CODED) {
            return live;
        }
        int copies = Math.min(live.size(), policy.code().parityChunks() + 1);
        int first = (int) (stripeBegin / policy.stripeBytes() % live.size());
        return java.util.stream.IntStream.range(0, copies)
                .mapToObj(i -> live.get((first + i) % live.size()))
                .toList();
    }
}
