package io.ecfs.datanode.store;

import io.ecfs.layout.ChunkId;
import io.ecfs.layout.GroupId;
import io.ecfs.layout.GroupLayout;
import io.ecfs.layout.Policy;
import io.ecfs.message.chunk.ChunkState;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.zip.CRC32C;

/**
 * Header of a checksum file, which describes its chunk. It is stored twice, in slots of {@value #SLOT_BYTES} bytes:
 * each change goes to the slot of the older one, so that a torn write leaves the header as it was before. The valid
 * slot with the higher sequence counts. A slot is small, since it is most of what a small chunk costs beside its bytes,
 * and never straddles a disk's sector.
 *
 * <pre>
 *   0 u32 magic "ECFC" | 4 u16 layout version | 6 u8 state | 7 u8 fenced | 8 u64 sequence | 16 u64 group | 24 u32 index
 *   28 u32 generation | 32 u64 chunk bytes | 40 u64 full stripe bytes | 48 u64 group length | 56 u64 writer
 *   64 u64 fence | 72 u16 policy bytes | 74 policy name, UTF-8 | zeros | 232 u32 stamp (layout version 1: none)
 *   236 uuid of the volume | 252 u32 CRC32C of bytes 0 to 251   (big endian)
 * </pre>
 *
 * <p>Group numbers begin anew in every cluster: what was copied here from a volume of another one has the name of a
 * chunk of this one and other bytes. So a header is only taken on the volume that it was written on; zeros are from
 * before it was noted.
 *
 * @param sequence grows with each change; its lowest bit names the slot
 * @param chunkBytes length of a published chunk; -1 while it is being written
 * @param fullStripeBytes where the tail cell begins; -1 when none was begun
 * @param groupLength user bytes of the sealed group; while the chunk is being written, of the group whose tail cell it
 *     has, -1 with none
 * @param writer the number that the chunk's writer chose
 * @param stamp of the group that the chunk was made for; 0 in headers of layout version 1
 * @param fence highest fence seen, with {@code fenced} true: the writer is shut out
 */
record ChunkHeader(
        ChunkId chunk,
        ChunkState state,
        long sequence,
        Policy policy,
        long chunkBytes,
        long fullStripeBytes,
        long groupLength,
        long writer,
        boolean fenced,
        long fence,
        int stamp) {
    static final int SLOT_BYTES = 256;
    /** Checksums begin here. */
    static final int BYTES = 2 * SLOT_BYTES;

    static final int LAYOUT_VERSION = 2;
    /** Without a stamp. */
    private static final int OLDEST_VERSION = 1;

    private static final int MAGIC = 0x45434643;
    private static final int POLICY_AT = 74;
    private static final int VOLUME_AT = SLOT_BYTES - Integer.BYTES - 2 * Long.BYTES;
    private static final int STAMP_AT = VOLUME_AT - Integer.BYTES;
    private static final int CRC_AT = SLOT_BYTES - Integer.BYTES;

    ChunkHeader {
        Objects.requireNonNull(chunk, "chunk");
        Objects.requireNonNull(state, "state");
        Objects.requireNonNull(policy, "policy");
        if (chunkBytes < -1 || fullStripeBytes < -1 || groupLength < -1 || sequence < 0) {
            throw new IllegalArgumentException("impossible header of " + chunk + ": bytes=" + chunkBytes
                    + " fullStripeBytes=" + fullStripeBytes + " groupLength=" + groupLength);
        }
        if ((state == ChunkState.BEING_WRITTEN) != (chunkBytes < 0)) {
            throw new IllegalArgumentException("header of " + chunk + " is " + state + " with bytes=" + chunkBytes);
        }
    }

    static ChunkHeader opened(ChunkId chunk, int stamp, Policy policy, long writer) {
        return new ChunkHeader(chunk, ChunkState.BEING_WRITTEN, 0, policy, -1, -1, -1, writer, false, 0, stamp);
    }

    /** Of a chunk that is published with its first header. */
    static ChunkHeader put(ChunkId chunk, int stamp, GroupLayout group, long writer) {
        long bytes = group.chunkBytes(chunk.index());
        long tailAt = bytes > group.fullStripeChunkBytes() ? group.fullStripeChunkBytes() : -1;
        return new ChunkHeader(
                chunk, ChunkState.FINALISED, 0, group.policy(), bytes, tailAt, group.length(), writer, false, 0, stamp);
    }

    /** A tail cell begins here, of a group of this length. */
    ChunkHeader withTail(long newFullStripeBytes, long tailOf) {
        return new ChunkHeader(
                chunk,
                state,
                sequence + 1,
                policy,
                chunkBytes,
                newFullStripeBytes,
                tailOf,
                writer,
                fenced,
                fence,
                stamp);
    }

    ChunkHeader withFence(long newFence) {
        return new ChunkHeader(
                chunk,
                state,
                sequence + 1,
                policy,
                chunkBytes,
                fullStripeBytes,
                groupLength,
                writer,
                true,
                newFence,
                stamp);
    }

    ChunkHeader published(long newChunkBytes, long newGroupLength) {
        long tailAt = Math.min(fullStripeBytes, newChunkBytes);
        return new ChunkHeader(
                chunk,
                ChunkState.FINALISED,
                sequence + 1,
                policy,
                newChunkBytes,
                tailAt,
                newGroupLength,
                writer,
                fenced,
                fence,
                stamp);
    }

    /** As it was before {@link #published}: its publication did not reach the disk whole. */
    ChunkHeader reopened() {
        return new ChunkHeader(
                chunk,
                ChunkState.BEING_WRITTEN,
                sequence + 1,
                policy,
                -1,
                fullStripeBytes,
                fullStripeBytes < 0 ? -1 : groupLength,
                writer,
                fenced,
                fence,
                stamp);
    }

    /** @param newState {@code FINALISED} or {@code CORRUPT}, of a published chunk */
    ChunkHeader judged(ChunkState newState) {
        return new ChunkHeader(
                chunk,
                newState,
                sequence + 1,
                policy,
                chunkBytes,
                fullStripeBytes,
                groupLength,
                writer,
                fenced,
                fence,
                stamp);
    }

    /** Offset in the checksum file of this header's slot. */
    long slotOffset() {
        return (sequence & 1) * SLOT_BYTES;
    }

    /** One slot, ready to write on a volume. */
    ByteBuffer encode(UUID volume) {
        byte[] policyName = policy.name().getBytes(StandardCharsets.UTF_8);
        ByteBuffer slot = ByteBuffer.allocate(SLOT_BYTES);
        slot.putInt(MAGIC).putShort((short) LAYOUT_VERSION);
        slot.put(code(state)).put((byte) (fenced ? 1 : 0)).putLong(sequence);
        slot.putLong(chunk.group().value()).putInt(chunk.index()).putInt(chunk.generation());
        slot.putLong(chunkBytes).putLong(fullStripeBytes).putLong(groupLength).putLong(writer);
        slot.putLong(fence).putShort((short) policyName.length).put(policyName);
        slot.putInt(STAMP_AT, stamp);
        slot.putLong(VOLUME_AT, volume.getMostSignificantBits());
        slot.putLong(VOLUME_AT + Long.BYTES, volume.getLeastSignificantBits());
        slot.putInt(CRC_AT, crc(slot, 0));
        return slot.clear();
    }

    /** The newest valid of both slots; empty when there is none that was written on this volume. */
    static Optional<ChunkHeader> decode(ByteBuffer slots, UUID volume) {
        ChunkHeader newest = null;
        for (int at = 0; at + SLOT_BYTES <= slots.limit(); at += SLOT_BYTES) {
            ChunkHeader header = decodeSlot(slots, at, volume).orElse(null);
            if (header != null && (newest == null || header.sequence > newest.sequence)) {
                newest = header;
            }
        }
        return Optional.ofNullable(newest);
    }

    /**
     * Returns whether a slot names this chunk on this volume; it checks nothing else, so that every read can afford it.
     */
    static boolean names(ByteBuffer slots, ChunkId chunk, UUID volume) {
        for (int at = 0; at + SLOT_BYTES <= slots.limit(); at += SLOT_BYTES) {
            if (slots.getInt(at) == MAGIC
                    && slots.getLong(at + 16) == chunk.group().value()
                    && slots.getInt(at + 24) == chunk.index()
                    && slots.getInt(at + 28) == chunk.generation()
                    && ownOrUnknown(slots, at, volume)) {
                return true;
            }
        }
        return false;
    }

    private static Optional<ChunkHeader> decodeSlot(ByteBuffer slots, int at, UUID volume) {
        if (slots.getInt(at) != MAGIC
                || slots.getShort(at + 4) < OLDEST_VERSION
                || slots.getShort(at + 4) > LAYOUT_VERSION
                || slots.getInt(at + CRC_AT) != crc(slots, at)
                || !ownOrUnknown(slots, at, volume)) {
            return Optional.empty();
        }
        try {
            return Optional.of(decodeFields(slots, at));
        } catch (IllegalArgumentException | IndexOutOfBoundsException e) {
            return Optional.empty(); // a checksum that fits by chance, or another program's header
        }
    }

    private static boolean ownOrUnknown(ByteBuffer slots, int at, UUID volume) {
        UUID writtenOn = new UUID(slots.getLong(at + VOLUME_AT), slots.getLong(at + VOLUME_AT + Long.BYTES));
        return writtenOn.equals(volume) || writtenOn.equals(new UUID(0, 0));
    }

    private static ChunkHeader decodeFields(ByteBuffer slots, int at) {
        byte[] policyName = new byte[slots.getShort(at + 72)];
        slots.get(at + POLICY_AT, policyName);
        return new ChunkHeader(
                new ChunkId(new GroupId(slots.getLong(at + 16)), slots.getInt(at + 24), slots.getInt(at + 28)),
                state(slots.get(at + 6)),
                slots.getLong(at + 8),
                Policy.parse(new String(policyName, StandardCharsets.UTF_8)),
                slots.getLong(at + 32),
                slots.getLong(at + 40),
                slots.getLong(at + 48),
                slots.getLong(at + 56),
                slots.get(at + 7) != 0,
                slots.getLong(at + 64),
                slots.getShort(at + 4) == OLDEST_VERSION ? 0 : slots.getInt(at + STAMP_AT));
    }

    private static byte code(ChunkState state) {
        return switch (state) {
            case BEING_WRITTEN -> 1;
            case FINALISED -> 2;
            case CORRUPT -> 3;
        };
    }

    private static ChunkState state(byte code) {
        return switch (code) {
            case 1 -> ChunkState.BEING_WRITTEN;
            case 2 -> ChunkState.FINALISED;
            case 3 -> ChunkState.CORRUPT;
            default -> throw new IllegalArgumentException("no chunk state " + code);
        };
    }

    private static int crc(ByteBuffer slots, int at) {
        CRC32C crc = new CRC32C();
        crc.update(slots.slice(at, CRC_AT));
        return (int) crc.getValue();
    }
}
