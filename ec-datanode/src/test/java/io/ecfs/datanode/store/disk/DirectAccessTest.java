package io.ecfs.datanode.store.disk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.ecfs.datanode.store.io.VolumeIo;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A volume past the page cache is a plain one, wherever reads and writes begin and end. */
class DirectAccessTest {
    @TempDir
    private Path root;

    @Test
    void answersAsThroughThePageCache() throws IOException {
        try (VolumeIo plain = new DirectoryVolumeIo(root.resolve("plain"), 2);
                VolumeIo direct = opened()) {
            Random random = new Random(5);
            for (VolumeIo io : new VolumeIo[] {plain, direct}) {
                io.create("file");
            }
            for (int step = 0; step < 300; step++) {
                int offset = random.nextInt(4) * DirectAccess.BLOCK + (random.nextBoolean() ? 0 : random.nextInt(9000));
                int bytes = 1 + random.nextInt(random.nextInt(20) == 0 ? 3 << 20 : 10_000);
                if (random.nextInt(8) == 0) {
                    plain.truncate("file", offset);
                    direct.truncate("file", offset);
                } else if (random.nextBoolean()) {
                    byte[] content = new byte[bytes];
                    random.nextBytes(content);
                    plain.write("file", offset, ByteBuffer.wrap(content));
                    direct.write("file", offset, ByteBuffer.wrap(content));
                }
                assertThat(direct.length("file")).as("step %d", step).isEqualTo(plain.length("file"));
                assertThat(read(direct, offset, bytes)).as("step %d", step).isEqualTo(read(plain, offset, bytes));
            }
            assertThat(direct.lend("file", 0, 1)).isEmpty();
        }
    }

    private VolumeIo opened() {
        try {
            return DirectoryVolumeIo.direct(root.resolve("direct"), 2, Optional.empty());
        } catch (IOException e) {
            assumeTrue(false, "the file system of " + root + " has no direct I/O: " + e.getMessage());
            throw new AssertionError(e);
        }
    }

    private static ByteBuffer read(VolumeIo io, int offset, int bytes) throws IOException {
        ByteBuffer into = ByteBuffer.allocate(bytes);
        io.read("file", offset, into);
        return into.flip();
    }
}
