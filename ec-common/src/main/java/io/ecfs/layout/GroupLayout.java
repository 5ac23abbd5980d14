package io.ecfs.layout;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * The geometry of one group of {@code length} bytes of user data under a policy. The one place where offsets become
 * cells.
 *
 * <pre>
 *   k = 3, m = 2, cell c                      chunk 0   chunk 1   chunk 2 | chunk 3   chunk 4
 *   stripe 0   bytes [0, 3c)                  [ c ]     [ c ]     [ c ]   | [ c ]     [ c ]
 *   stripe 1   bytes [3c, 6c)                 [ c ]     [ c ]     [ c ]   | [ c ]     [ c ]
 *   tail       T bytes, T &lt; 3c                [ t ]     [ t ]     [&lt;t]    | [ t ]     [ t ]
 * </pre>
 *
 * The tail is spread over all k chunks in cells of t = ceil(T/k) bytes, rounded up to the code's alignment and at most
 * c, so a small file costs n/k of its size as a large one does. The padding that completes the last tail cells is zeros
 * and is not stored.
 */
public final class GroupLayout {
    private final Policy policy;
    private final long length;
    private final long fullStripes;
    private final long tailBytes;
    private final int tailCellBytes;

    /** @param length bytes of user data, in [0, {@link Policy#groupBytes()}] */
    public GroupLayout(Policy policy, long length) {
        this.policy = Objects.requireNonNull(policy, "policy");
        if (length < 0 || length > policy.groupBytes()) {
            throw new IllegalArgumentException(
                    "group length must be in [0, " + policy.groupBytes() + "] under " + policy + ": " + length);
        }
        this.length = length;
        this.fullStripes = length / policy.stripeBytes();
        this.tailBytes = length % policy.stripeBytes();
        this.tailCellBytes = tailCellBytes(policy, tailBytes);
    }

    /** Size of a tail cell for a tail of {@code tailBytes} user bytes, in [0, cell]; 0 for no tail. */
    public static int tailCellBytes(Policy policy, long tailBytes) {
        if (tailBytes < 0 || tailBytes >= policy.stripeBytes()) {
            throw new IllegalArgumentException(
                    "a tail is shorter than a stripe of " + policy.stripeBytes() + " bytes: " + tailBytes);
        }
        long share = ceilDiv(tailBytes, policy.dataChunks());
        int alignment = policy.code().cellAlignmentBytes();
        return (int) Math.min(policy.cellBytes(), Math.multiplyExact(ceilDiv(share, alignment), alignment));
    }

    public Policy policy() {
        return policy;
    }

    public long length() {
        return length;
    }

    /** Stripes of k whole cells; what is behind them is the tail. */
    public long fullStripes() {
        return fullStripes;
    }

    /** Stripes including a partial last one. */
    public long stripes() {
        return fullStripes + (tailBytes > 0 ? 1 : 0);
    }

    /** User bytes behind the full stripes, less than a stripe's. */
    public long tailBytes() {
        return tailBytes;
    }

    /** Bytes of a cell of the tail as the code sees it, padding included; 0 without a tail. */
    public int tailCellBytes() {
        return tailCellBytes;
    }

    /** Offset in every chunk at which the full stripes end and the tail begins. */
    public long fullStripeChunkBytes() {
        return Math.multiplyExact(fullStripes, policy.cellBytes());
    }

    /** Stored bytes of a chunk, checksums not counted: padding is not stored. */
    public long chunkBytes(int chunkIndex) {
        return fullStripeChunkBytes() + storedTailBytes(Objects.checkIndex(chunkIndex, policy.chunks()));
    }

    /** Bytes of the chunk as the code sees it, implicit zeros included: the same for every chunk of the group. */
    public long codedChunkBytes() {
        return fullStripeChunkBytes() + tailCellBytes;
    }

    /** Cell size in a stripe: the policy's, or the tail's in the last, partial one. */
    public int cellBytes(long stripe) {
        Objects.checkIndex(stripe, stripes());
        return stripe < fullStripes ? policy.cellBytes() : tailCellBytes;
    }

    /** Stored bytes of one cell: less than {@link #cellBytes(long)} only for padded cells of the tail. */
    public int storedCellBytes(long stripe, int chunkIndex) {
        Objects.checkIndex(stripe, stripes());
        return stripe < fullStripes
                ? policy.cellBytes()
                : storedTailBytes(Objects.checkIndex(chunkIndex, policy.chunks()));
    }

    /** Offset of a stripe's cell in every chunk. */
    public long cellOffset(long stripe) {
        return Math.multiplyExact(Objects.checkIndex(stripe, stripes()), policy.cellBytes());
    }

    /** Bytes that all n chunks store together, checksums not counted. */
    public long storedBytes() {
        long sum = 0;
        for (int index = 0; index < policy.chunks(); index++) {
            sum = Math.addExact(sum, chunkBytes(index));
        }
        return sum;
    }

    /**
     * The cells that hold group bytes [from, to), in the order of the bytes.
     *
     * @throws IndexOutOfBoundsException when the range is not within [0, length)
     */
    public List<CellRange> cells(long from, long to) {
        Objects.checkFromToIndex(from, to, length);
        List<CellRange> cells = new ArrayList<>();
        for (long at = from; at < to; ) {
            CellRange cell = cellAt(at, to);
            cells.add(cell);
            at += cell.bytes();
        }
        return cells;
    }

    private CellRange cellAt(long at, long to) {
        long stripe = at / policy.stripeBytes();
        int cellBytes = cellBytes(stripe);
        long inStripe = at - stripe * policy.stripeBytes();
        int index = (int) (inStripe / cellBytes);
        long inCell = inStripe % cellBytes;
        int bytes = (int) Math.min(cellBytes - inCell, to - at);
        return new CellRange(at, index, cellOffset(stripe) + inCell, bytes, stripe);
    }

    private int storedTailBytes(int chunkIndex) {
        if (chunkIndex >= policy.dataChunks()) {
            return tailCellBytes;
        }
        long before = Math.multiplyExact((long) chunkIndex, tailCellBytes);
        return (int) Math.max(0, Math.min(tailBytes - before, tailCellBytes));
    }

    static long ceilDiv(long value, long divisor) {
        return Math.addExact(value, divisor - 1) / divisor;
    }

    /** Bytes that the chunks of so many user bytes take, parity included, in as many full groups as they fill. */
    public static long storedBytes(Policy policy, long length) {
        long full = new GroupLayout(policy, policy.groupBytes()).storedBytes();
        long rest = new GroupLayout(policy, length % policy.groupBytes()).storedBytes();
        return Math.addExact(Math.multiplyExact(length / policy.groupBytes(), full), rest);
    }

    /** Bytes [from, to) of a chunk. */
    public record ChunkRange(long from, long to) {}

    /**
     * The bytes of every chunk in the stripes of these cells, whole.
     *
     * @param cells of {@link #cells}, at least one
     */
    public ChunkRange columns(List<CellRange> cells) {
        long first = cells.get(0).stripe();
        long last = cells.get(cells.size() - 1).stripe();
        return new ChunkRange(cellOffset(first), cellOffset(last) + cellBytes(last));
    }
}
