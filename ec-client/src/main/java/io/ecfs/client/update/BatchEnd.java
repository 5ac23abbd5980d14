package io.ecfs.client.update;

import io.ecfs.layout.Policy;
import io.ecfs.patch.PatchBatch;
import io.ecfs.patch.Write;
import java.util.List;
import java.util.OptionalLong;

/**
 * Ends of batches while more writes wait: with a stripe, so that their bytes need no tail records, unless too much
 * would be wasted. Pure.
 */
final class BatchEnd {
    /** Of a batch, what may be wasted to end with a stripe: a part of so many. */
    private static final int PADDED_PART = 16;

    private BatchEnd() {}

    /**
     * Returns how many of the first writes are to make a batch.
     *
     * @param begin of the batch in its group
     */
    static int fitting(Policy policy, long begin, List<Write> writes) {
        long end = end(begin, writes);
        long lastStripe = end - end % policy.stripeBytes();
        int fitting = lastStripe <= begin ? 0 : PatchBatch.fitting(begin, lastStripe, writes);
        return fitting == 0 || wasted(begin, lastStripe, writes.subList(0, fitting)) ? writes.size() : fitting;
    }

    /** Where in its group a batch is to end that is padded; empty: with its last write. */
    static OptionalLong padded(Policy policy, long begin, List<Write> writes) {
        long stripe = policy.stripeBytes();
        long stripeEnd = (end(begin, writes) + stripe - 1) / stripe * stripe;
        return wasted(begin, stripeEnd, writes) ? OptionalLong.empty() : OptionalLong.of(stripeEnd);
    }

    private static boolean wasted(long begin, long end, List<Write> writes) {
        return end - end(begin, writes) > (end - begin) / PADDED_PART;
    }

    private static long end(long begin, List<Write> writes) {
        return PatchBatch.plan(begin, 1, Write.MAX_POSITION, writes).end();
    }
}
