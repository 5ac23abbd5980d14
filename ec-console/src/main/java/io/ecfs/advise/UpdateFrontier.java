package io.ecfs.advise;

import io.ecfs.code.CodeSpec;
import io.ecfs.layout.Policy;
import io.ecfs.patch.CleaningCost;
import io.ecfs.patch.PatchBatch;
import io.ecfs.patch.Write;
import java.util.Collections;
import java.util.List;

/**
 * Space against bytes written of files that are updated in place at random: the more dead bytes a file may have, the
 * fewer live ones are written again to reclaim them. Batches are full stripes, as many writes at a time make them.
 *
 * @param updateBytes of each write
 * @param headFactor bytes of a batch of about a stripe for each byte of its writes: what its head takes is dead at once
 * @param points by growing spare
 */
public record UpdateFrontier(int updateBytes, double headFactor, List<Point> points) {
    /** RS(6,3), with the stripe that gathers updates. */
    private static final Policy CODED = Policy.parse("rs-6-3-64k");

    private static final CodeSpec REPLICAS = CodeSpec.parse("replication-3");
    private static final List<Double> SPARES = List.of(0.25, 0.5, 1.0);

    /**
     * Costs at one spare; heads of batches are not counted.
     *
     * @param spare dead bytes for each live one
     * @param space stored bytes for each byte of the file, of RS(6,3)
     * @param coded bytes that RS(6,3) writes for each byte of an update
     * @param replicated the same of three replicas with this spare
     */
    public record Point(double spare, double space, double coded, double replicated) {}

    /**
     * That of RS(6,3) and three replicas.
     *
     * @param updateBytes of each write, from 1 to {@link Write#MAX_BYTES}
     */
    public static UpdateFrontier of(long updateBytes) {
        if (updateBytes < 1 || updateBytes > Write.MAX_BYTES) {
            throw new IllegalArgumentException(
                    "an update has 1 byte to 64m, got " + updateBytes + " bytes: use --updates 4k");
        }
        int bytes = (int) updateBytes;
        return new UpdateFrontier(
                bytes,
                headFactor(bytes),
                SPARES.stream().map(UpdateFrontier::point).toList());
    }

    private static Point point(double spare) {
        double written = CleaningCost.writtenPerByte(spare);
        return new Point(
                spare, stored(CODED.code()) * (1 + spare), stored(CODED.code()) * written, stored(REPLICAS) * written);
    }

    private static double stored(CodeSpec code) {
        return code.chunks() / (double) code.dataChunks();
    }

    private static double headFactor(int bytes) {
        long stripe = CODED.stripeBytes();
        int most = (int) Math.max(1, Math.min(PatchBatch.MAX_WRITES, stripe / bytes));
        List<Write> writes = Collections.nCopies(most, new Write(0, bytes));
        int count = Math.max(1, PatchBatch.fitting(0, stripe, writes));
        PatchBatch batch = PatchBatch.plan(0, 1, bytes, writes.subList(0, count));
        return batch.bytes() / (double) Math.multiplyExact((long) count, bytes);
    }
}
