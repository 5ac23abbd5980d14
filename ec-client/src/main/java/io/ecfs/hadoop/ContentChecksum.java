package io.ecfs.hadoop;

import io.ecfs.client.read.FileReader;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.zip.CRC32C;
import org.apache.hadoop.fs.CompositeCrcFileChecksum;
import org.apache.hadoop.fs.FileChecksum;
import org.apache.hadoop.util.DataChecksum;

/** CRC32C of a file's content, whatever its layout: the same as HDFS's COMPOSITE-CRC32C of the same content. It reads every byte. */
final class ContentChecksum {
    private static final int READ_BYTES = 4 << 20;

    private ContentChecksum() {}

    /** @param length of the content from its beginning; past the end counts as the end */
    static FileChecksum of(FileReader file, long length) throws IOException {
        long end = Math.min(length, file.length());
        CRC32C crc = new CRC32C();
        ByteBuffer buffer = ByteBuffer.allocate((int) Math.min(end, READ_BYTES));
        for (long at = 0; at < end; ) {
            buffer.clear().limit((int) Math.min(buffer.capacity(), end - at));
            at += file.read(at, buffer);
            crc.update(buffer.flip());
        }
        return new CompositeCrcFileChecksum((int) crc.getValue(), DataChecksum.Type.CRC32C, 0);
    }
}
