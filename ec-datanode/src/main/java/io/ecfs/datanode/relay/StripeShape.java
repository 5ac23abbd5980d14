package io.ecfs.datanode.relay;

import io.ecfs.error.EcfsException;
import io.ecfs.error.ErrorCode;
import io.ecfs.layout.GroupLayout;
import io.ecfs.layout.Policy;
import io.ecfs.message.chunk.ChunkRequest;
import io.ecfs.transfer.ChunkPayload;

/**
 * Sizes of the cells of one stripe of a group, as its cells say: a full stripe, or the tail of a group of a known
 * length. Pure.
 */
final class StripeShape {
    private final Policy policy;
    private final GroupLayout layout;
    private final long stripe;

    private StripeShape(Policy policy, GroupLayout layout, long stripe) {
        this.policy = policy;
        this.layout = layout;
        this.stripe = stripe;
    }

    /** @throws EcfsException {@code INVALID_ARGUMENT} for a cell that no group of the policy has there */
    static StripeShape of(Policy policy, ChunkRequest.RelayCell cell) throws EcfsException {
        long stripe = cell.offset() / policy.cellBytes();
        boolean tail = cell.tailOf() > 0;
        boolean fits = cell.offset() % policy.cellBytes() == 0
                && cell.chunk().index() < policy.chunks()
                && stripe < policy.groupBytes() / policy.stripeBytes()
                && cell.tailOf() <= policy.groupBytes();
        if (fits) {
            GroupLayout layout = new GroupLayout(policy, tail ? cell.tailOf() : (stripe + 1) * policy.stripeBytes());
            StripeShape shape = new StripeShape(policy, layout, stripe);
            boolean isThere = tail ? stripe == layout.fullStripes() && layout.tailBytes() > 0 : true;
            if (isThere && shape.stored(cell.chunk().index()) == cell.bytes()) {
                return shape;
            }
        }
        throw new EcfsException(
                ErrorCode.INVALID_ARGUMENT,
                "no group under " + policy + " has " + cell.bytes() + " bytes of " + cell.chunk() + " at "
                        + cell.offset() + (tail ? " as its tail, with " + cell.tailOf() + " bytes in all" : ""));
    }

    /** Bytes of a cell as the code sees it. */
    int cellBytes() {
        return layout.cellBytes(stripe);
    }

    /** Bytes that a chunk stores of the stripe; 0 for a data chunk behind the end of the tail. */
    int stored(int index) {
        return layout.storedCellBytes(stripe, index);
    }

    /** Data cells that are sent. */
    int dataCells() {
        int cells = 0;
        for (int index = 0; index < policy.dataChunks(); index++) {
            cells += stored(index) > 0 ? 1 : 0;
        }
        return cells;
    }

    /** Cells that are sent or computed. */
    int cells() {
        return dataCells() + policy.chunks() - policy.dataChunks();
    }

    /** Memory of the cells as they come, the padded copies of those that are short, and the parity. */
    long memoryBytes() {
        long whole = ChunkPayload.payloadBytes(cellBytes());
        return Math.multiplyExact(whole, policy.chunks() + (isFull() ? 0 : policy.dataChunks()));
    }

    private boolean isFull() {
        return stripe < layout.fullStripes();
    }
}
