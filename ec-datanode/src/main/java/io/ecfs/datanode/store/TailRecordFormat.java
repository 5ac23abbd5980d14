package io.ecfs.datanode.store;

import io.ecfs.layout.ChunkId;
import io.ecfs.message.chunk.TailForm;
import io.ecfs.message.chunk.TailRecord;
import io.ecfs.transfer.ChunkPayload;
import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.UUID;
import java.util.zip.CRC32C;

/**
 * A record in a tail log: a head that says whose it is and what, then the payload as it came, checksums before bytes. A
 * torn record has a head that does not match, or ends too soon, or has bytes that do not match.
 *
 * <pre>
 *   0 u32 magic "ECFT" | 4 u16 layout version | 6 u8 form | 7 u8 zero | 8 u64 group | 16 u32 index | 20 u32 generation
 *   24 u64 sequence | 32 u64 group offset | 40 u32 length | 44 u32 stored bytes | 48 uuid of the volume | 64 zeros
 *   76 u32 CRC32C of bytes 0 to 75 | 80 CRC32C of each window (u32) | bytes        (big endian)
 * </pre>
 */
final class TailRecordFormat {
    static final int HEAD_BYTES = 80;

    private static final int MAGIC = 0x45434654;
    private static final int VERSION = 1;
    private static final int CRC_AT = HEAD_BYTES - Integer.BYTES;

    private TailRecordFormat() {}

    /** Content of a head. */
    record Head(TailRecord record, int storedBytes) {}

    /** In the file, head and payload together. */
    static long fileBytes(int storedBytes) {
        return (long) HEAD_BYTES + ChunkPayload.payloadBytes(storedBytes);
    }

    static ByteBuffer head(ChunkId chunk, TailRecord record, int storedBytes, UUID volume) {
        ByteBuffer head = ByteBuffer.allocate(HEAD_BYTES);
        head.putInt(MAGIC).putShort((short) VERSION);
        head.put((byte) (record.form() == TailForm.CODED ? 1 : 0)).put((byte) 0);
        head.putLong(chunk.group().value()).putInt(chunk.index()).putInt(chunk.generation());
        head.putLong(record.sequence()).putLong(record.offset()).putInt(record.length());
        head.putInt(storedBytes);
        head.putLong(volume.getMostSignificantBits()).putLong(volume.getLeastSignificantBits());
        head.putInt(CRC_AT, crc(head));
        return head.clear();
    }

    /** Empty when these bytes are no head of a record of this chunk on this volume. */
    static Optional<Head> parse(ByteBuffer head, ChunkId chunk, UUID volume) {
        if (head.remaining() < HEAD_BYTES
                || head.getInt(0) != MAGIC
                || head.getShort(4) != VERSION
                || head.getInt(CRC_AT) != crc(head)
                || head.getLong(8) != chunk.group().value()
                || head.getInt(16) != chunk.index()
                || head.getInt(20) != chunk.generation()
                || head.getLong(48) != volume.getMostSignificantBits()
                || head.getLong(56) != volume.getLeastSignificantBits()) {
            return Optional.empty();
        }
        try {
            TailForm form = head.get(6) == 1 ? TailForm.CODED : TailForm.MIRRORED;
            return Optional.of(new Head(
                    new TailRecord(head.getLong(24), head.getLong(32), head.getInt(40), form), head.getInt(44)));
        } catch (IllegalArgumentException e) {
            return Optional.empty(); // a checksum that fits by chance, or another program's head
        }
    }

    private static int crc(ByteBuffer head) {
        CRC32C crc = new CRC32C();
        crc.update(head.slice(0, CRC_AT));
        return (int) crc.getValue();
    }
}
