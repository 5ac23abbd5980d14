package io.ecfs.client.write;

import io.ecfs.layout.Policy;
import io.ecfs.message.TailForm;
import java.util.List;

/**
 * What a writer has promised of a group that is open.
 *
 * <pre>
 *   group bytes  |--- full stripes sent ---|-- open stripe, in tail records --|
 *                        ^ settled: no record before this is needed any more
 *                                    ^ onDisk: full stripes before this are on the datanodes' disks
 *                                              ^ promisedOnDisk
 * </pre>
 */
final class GroupTail {
    private final Policy policy;
    private long sequence;
    private boolean open;
    private long promised;
    private long promisedOnDisk;
    private long onDisk;
    private long settled;

    GroupTail(Policy policy) {
        this.policy = policy;
    }

    long nextSequence() {
        return sequence++;
    }

    long settled() {
        return settled;
    }

    /** Whether records were sent of the stripe that comes next. */
    boolean open() {
        return open;
    }

    void recordSent() {
        open = true;
    }

    void stripeSent() {
        open = false;
    }

    /** Whether anything of the group was acknowledged. */
    boolean promisedAnything() {
        return promised > 0;
    }

    /** Whether records of this group were promised to be on disk while the stripes that replace them are not. */
    boolean owesSync() {
        return promisedOnDisk > onDisk;
    }

    /**
     * What was sent is acknowledged by all chunks that live.
     *
     * @param stripes bytes of full stripes sent
     * @param end of the records sent
     * @param sync all of it is on disk
     */
    void kept(long stripes, long end, boolean sync) {
        promised = Math.max(promised, end);
        if (sync) {
            onDisk = stripes;
            promisedOnDisk = promised; // also what earlier flushes sent
        }
        if (!owesSyncOf(stripes)) {
            settled = stripes;
        }
    }

    /** All that was sent is on disk, the tail cells among it. */
    void allOnDisk(long length) {
        onDisk = length;
    }

    private boolean owesSyncOf(long stripes) {
        return Math.min(promisedOnDisk, stripes) > onDisk;
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
