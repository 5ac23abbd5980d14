package io.ecfs.jobs;

import java.nio.charset.StandardCharsets;
import org.apache.hadoop.hbase.TableName;

/** The table of {@link PutRows} and {@link ReadRows}: region r has the keys {@code r-00000000, r-00000001, ...}. */
final class Rows {
    static final TableName TABLE = TableName.valueOf("rows");
    static final byte[] FAMILY = bytes("f");
    static final byte[] QUALIFIER = bytes("q");
    static final int REGIONS = 4;

    private static final int VALUE_BYTES = 1000;

    private Rows() {}

    static String key(int region, int number) {
        return String.format("%d-%08d", region, number);
    }

    /** The keys at which one region ends and the next begins. */
    static byte[][] splits() {
        byte[][] splits = new byte[REGIONS - 1][];
        for (int region = 1; region < REGIONS; region++) {
            splits[region - 1] = bytes(region + "-");
        }
        return splits;
    }

    /** Bytes that tell of each place which row it is of. */
    static byte[] value(String key) {
        StringBuilder value = new StringBuilder();
        while (value.length() < VALUE_BYTES) {
            value.append(key).append('@').append(value.length()).append(' ');
        }
        return bytes(value.toString());
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
