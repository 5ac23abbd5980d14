package io.ecfs.namenode.legacy.rows;

import io.ecfs.error.EcfsException;
import io.ecfs.message.AdminState;
import io.ecfs.message.report.IncidentCause;
import io.ecfs.namenode.row.RowReader;
import io.ecfs.namenode.row.RowWriter;
import io.ecfs.wire.codec.RecordCodec;

/**
 * Reads rows with names of classes, components and constants: the history as CBOR, admin states of datanodes, causes in
 * keys.
 */
public final class LegacyRows {
    private static final int VERSION = 1;
    /** Begins the key of an incident that goes on. */
    public static final int GOING_ON = 'o';

    private static final RecordCodec CODEC = new RecordCodec();

    private LegacyRows() {}

    /** Returns whether a row that begins with a version has the one of that release. */
    public static boolean wrote(byte[] row) {
        return row.length > 0 && row[0] == VERSION;
    }

    /** A row of the history: one of its records as CBOR. */
    public static <T> T record(Class<T> kind, byte[] bytes) {
        RowReader row = new RowReader(bytes);
        row.version(VERSION, kind.getSimpleName());
        try {
            return CODEC.decode(kind, row.rest());
        } catch (EcfsException e) {
            throw new IllegalStateException("a row of the history cannot be read: " + e.getMessage(), e);
        }
    }

    /** The admin state behind the version of its row. */
    public static AdminState.State adminState(RowReader row) {
        return AdminState.State.valueOf(row.text());
    }

    /** The key under which the incident of a cause was found. */
    public static byte[] causeKey(IncidentCause cause) {
        return new RowWriter()
                .u8(GOING_ON)
                .text(cause.kind().name())
                .text(cause.datanode().map(Object::toString).orElse(""))
                .i32(cause.volume().map(v -> v.value()).orElse(0))
                .bytes();
    }
}
