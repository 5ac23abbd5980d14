package io.ecfs.datanode.store.ring.journal;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.zip.CRC32C;

/**
 * One change of a staged volume, as its journal has it: this head, the path, and the bytes of a write.
 *
 * <pre>
 *    0  int   magic           8  long  lsn           32  long  offset      48  int  CRC32C of all before it
 *    4  byte  operation      16  long  durable       40  int   bytes               and of the path, behind
 *    5  byte  0              24  long  file          44  int   their CRC32C        the salt of the segment
 *    6  short length of the path
 * </pre>
 *
 * The bytes of a write may look like a record; without the salt they never are one.
 *
 * @param lsn number of the record: they follow each other without a gap
 * @param durable last record that was known to be on disk when this one was written
 * @param file the file: lsn of the record that introduced it
 * @param path only of operations that name one
 * @param offset of a write; the length of a truncation and of an opened file; the file displaced by a renaming
 * @param bytes of a write, behind the head
 */
public record JournalRecord(
        long lsn, Operation operation, long durable, long file, String path, long offset, int bytes, int bytesCrc) {
    static final int HEAD_BYTES = 52;
    /** Longest path. */
    static final int MOST_PATH_BYTES = Short.MAX_VALUE;

    static final int MAGIC = 0x45524a31; // ERJ1

    private static final int CRC_AT = 48;

    /** Kind of a change; the number is on disk. */
    public enum Operation {
        /** A new empty file at {@code path}. */
        CREATE(1),
        /** A file of the device at {@code path}, of which changes follow. */
        OPEN(2),
        WRITE(3),
        TRUNCATE(4),
        /** The file gets the name {@code path}. */
        RENAME(5),
        DELETE(6),
        /** The directory {@code path}. */
        DIRECTORY(7),
        /** The file is on the device as it is here, and the device is synced. */
        DRAINED(8),
        /** On the device the file lies at {@code path}. */
        MOVED(9);

        private final byte number;

        Operation(int number) {
            this.number = (byte) number;
        }

        static Optional<Operation> of(byte number) {
            for (Operation operation : values()) {
                if (operation.number == number) {
                    return Optional.of(operation);
                }
            }
            return Optional.empty();
        }
    }

    /**
     * Head and path, ready to be read.
     *
     * @param salt of the segment
     */
    ByteBuffer encode(long salt) {
        byte[] name = path.getBytes(StandardCharsets.UTF_8);
        ByteBuffer head = ByteBuffer.allocate(HEAD_BYTES + name.length);
        head.putInt(MAGIC).put(operation.number).put((byte) 0).putShort((short) name.length);
        head.putLong(lsn)
                .putLong(durable)
                .putLong(file)
                .putLong(offset)
                .putInt(bytes)
                .putInt(bytesCrc);
        head.putInt(0).put(name).flip();
        return head.putInt(CRC_AT, crc(head, salt));
    }

    /** Length of the path of the record whose head this is; -1 when it is none. */
    static int pathBytes(ByteBuffer head) {
        return head.remaining() < HEAD_BYTES || head.getInt(0) != MAGIC ? -1 : head.getShort(6);
    }

    /**
     * The record of a head; empty when it is damaged.
     *
     * @param head with the path, from position 0
     * @param salt of the segment
     */
    static Optional<JournalRecord> decode(ByteBuffer head, long salt) {
        int pathBytes = pathBytes(head);
        if (pathBytes < 0 || head.limit() < HEAD_BYTES + pathBytes) {
            return Optional.empty();
        }
        ByteBuffer all = head.slice(0, HEAD_BYTES + pathBytes);
        Optional<Operation> operation = Operation.of(all.get(4));
        if (operation.isEmpty() || all.getInt(CRC_AT) != crc(all, salt) || all.getInt(40) < 0) {
            return Optional.empty();
        }
        byte[] name = new byte[pathBytes];
        all.get(HEAD_BYTES, name);
        JournalRecord record = new JournalRecord(
                all.getLong(8),
                operation.get(),
                all.getLong(16),
                all.getLong(24),
                new String(name, StandardCharsets.UTF_8),
                all.getLong(32),
                all.getInt(40),
                all.getInt(44));
        return Optional.of(record).filter(JournalRecord::isSane);
    }

    /** Returns whether its numbers can be those of a record: it is about itself or earlier ones. */
    private boolean isSane() {
        return durable >= 0 && durable < lsn && file > 0 && file <= lsn;
    }

    /** CRC32C of what remains in the buffer, which stays as it is. */
    static int crcOf(ByteBuffer bytes) {
        CRC32C crc = new CRC32C();
        crc.update(bytes.duplicate());
        return (int) crc.getValue();
    }

    private static int crc(ByteBuffer head, long salt) {
        CRC32C crc = new CRC32C();
        crc.update(ByteBuffer.allocate(Long.BYTES).putLong(salt).flip());
        crc.update(head.slice(0, CRC_AT));
        crc.update(head.slice(HEAD_BYTES, head.limit() - HEAD_BYTES));
        return (int) crc.getValue();
    }
}
