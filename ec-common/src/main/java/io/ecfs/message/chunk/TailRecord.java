package io.ecfs.message.chunk;

import io.ecfs.layout.GroupLayout;
import io.ecfs.layout.Policy;
import java.util.Objects;

/**
 * Bytes of the open stripe that were acknowledged before the stripe was full. What a record says never changes: a
 * group's bytes are written once, so that a record may be read twice, late, or beside the stripe that came after it.
 *
 * @param sequence grows from record to record of a group
 * @param offset in the group, in user bytes
 * @param length user bytes, at least 1 and less than a stripe
 */
public record TailRecord(long sequence, long offset, int length, TailForm form) {
    public TailRecord {
        Objects.requireNonNull(form, "form");
        if (sequence < 0 || offset < 0 || length <= 0 || offset > Long.MAX_VALUE - length) {
            throw new IllegalArgumentException(
                    "tail record " + sequence + " of " + length + " bytes at " + offset + " of its group");
        }
    }

    /** Behind the last byte, in the group. */
    public long end() {
        return offset + length;
    }

    /** Returns whether a group of this policy can have it: it lies in one stripe, which it does not fill. */
    public boolean fits(Policy policy) {
        return length < policy.stripeBytes()
                && end() <= policy.groupBytes()
                && offset / policy.stripeBytes() == (end() - 1) / policy.stripeBytes();
    }

    /** Bytes of it that the chunk with this index keeps. */
    public int storedBytes(Policy policy, int index) {
        return switch (form) {
            case MIRRORED -> length;
            case CODED -> Math.toIntExact(new GroupLayout(policy, length).chunkBytes(index));
        };
    }
}
