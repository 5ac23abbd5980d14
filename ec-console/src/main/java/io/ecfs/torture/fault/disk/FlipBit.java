package io.ecfs.torture.fault.disk;

import io.ecfs.torture.fault.Fault;
import io.ecfs.torture.fault.Shape;
import io.ecfs.torture.fault.TortureSite;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;

/**
 * One bit of a stored file changes.
 *
 * @param part which of a chunk's files: {@code data}, or {@code sum} with the header and the checksums
 */
public record FlipBit(String part) implements Fault {
    @Override
    public String name() {
        return "flip-" + part;
    }

    /** Files of a directory, behind its datanode's back. */
    @Override
    public Set<Shape> shapes() {
        return Set.of(Shape.PROCESSES);
    }

    @Override
    public Victim victim() {
        return Victim.ROTTEN;
    }

    @Override
    public Inflicted inflict(TortureSite site, String id, SplittableRandom random) throws IOException {
        Optional<Path> file = StoredFiles.any(site.directory(id), "." + part, random);
        if (file.isPresent()) {
            flip(file.get(), random);
        }
        return () -> {};
    }

    private static void flip(Path file, SplittableRandom random) throws IOException {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            long at = random.nextLong(channel.size());
            ByteBuffer one = ByteBuffer.allocate(1);
            if (channel.read(one, at) == 1) {
                one.put(0, (byte) (one.get(0) ^ 1 << random.nextInt(Byte.SIZE)));
                channel.write(one.flip(), at);
            }
        } catch (NoSuchFileException deletedMeanwhile) {
            return; // nothing is left to hurt
        }
    }
}
