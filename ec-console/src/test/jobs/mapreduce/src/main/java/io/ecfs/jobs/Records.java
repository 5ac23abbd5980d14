package io.ecfs.jobs;

import java.nio.ByteBuffer;
import java.util.zip.CRC32C;
import org.apache.hadoop.io.BytesWritable;

/**
 * The records that are generated, sorted and validated: a key of 10 random bytes and a value of 90, both made from the
 * record's number, so that nobody need keep them. The sum of the records' checksums does not depend on their order.
 */
final class Records {
    static final int KEY = 10;
    static final int VALUE = 90;

    private Records() {}

    static void key(long number, BytesWritable into) {
        ByteBuffer bytes = ByteBuffer.allocate(KEY + Long.BYTES);
        bytes.putLong(scattered(number)).putLong(scattered(~number));
        into.set(bytes.array(), 0, KEY);
    }

    static void value(long number, BytesWritable into) {
        ByteBuffer bytes = ByteBuffer.allocate(VALUE + Long.BYTES);
        bytes.putLong(number);
        while (bytes.position() < VALUE) {
            bytes.putLong(scattered(number * VALUE + bytes.position()));
        }
        into.set(bytes.array(), 0, VALUE);
    }

    static long checksum(BytesWritable key, BytesWritable value) {
        CRC32C crc = new CRC32C();
        crc.update(key.getBytes(), 0, key.getLength());
        crc.update(value.getBytes(), 0, value.getLength());
        return crc.getValue();
    }

    /** The finaliser of SplitMix64 (Steele, Lea, Flood: Fast Splittable Pseudorandom Number Generators, 2014). */
    private static long scattered(long number) {
        long z = number + 0x9e3779b97f4a7c15L;
        z = (z ^ (z >>> 30)) * 0xbf58476d1ce4e5b9L;
        z = (z ^ (z >>> 27)) * 0x94d049bb133111ebL;
        return z ^ (z >>> 31);
    }
}
