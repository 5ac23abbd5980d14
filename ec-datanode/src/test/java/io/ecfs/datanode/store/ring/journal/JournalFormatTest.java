package io.ecfs.datanode.store.ring.journal;

import static org.assertj.core.api.Assertions.assertThat;

import io.ecfs.datanode.store.memory.MemoryVolumeIo;
import io.ecfs.datanode.store.ring.journal.JournalRecord.Operation;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/**
 * What a release stages, a later one drains: the golden file has two segments with a record of each operation, the
 * second of which has become the oldest. Its bytes change only with the magic of the segments.
 */
class JournalFormatTest {
    private static final JournalMarker MARKER = new JournalMarker() {
        @Override
        public void needs(long journal) {}

        @Override
        public void needsNone() {}
    };

    private final MemoryVolumeIo disk = new MemoryVolumeIo("journal", 1L << 20, new SplittableRandom(1));
    private final AtomicLong salts = new AtomicLong(0x0123_4567_89ab_cdefL);

    /** A journal with two long segments. */
    private Journal journal() {
        return new Journal(disk, 400, () -> salts.getAndAdd(0x1111_1111_1111_1111L), MARKER);
    }

    private static void append(Journal journal, Operation operation, long file, String path, long offset, String bytes)
            throws IOException {
        journal.append(operation, file, path, offset, ByteBuffer.wrap(bytes.getBytes(StandardCharsets.UTF_8)));
    }

    private void write(boolean freed) throws IOException {
        Journal journal = journal();
        append(journal, Operation.DIRECTORY, 0, "finalised/02", 0, "");
        append(journal, Operation.CREATE, 0, "writing/g1.0.0", 0, "");
        append(journal, Operation.WRITE, 2, "", 4096, "bytes of a chunk");
        journal.sync();
        append(journal, Operation.RENAME, 2, "finalised/02/g1.0.0", 0, "");
        append(journal, Operation.OPEN, 0, "finalised/02/größer.tail", 123_456_789_012L, "");
        append(journal, Operation.TRUNCATE, 5, "", 17, "");
        append(journal, Operation.MOVED, 5, "staged/0000000000000005", 0, "");
        append(journal, Operation.DELETE, 5, "", 0, "");
        append(journal, Operation.DRAINED, 2, "", 0, "");
        journal.sync();
        if (freed) {
            journal.free(journal.lastLsn());
        }
    }

    private static List<String> golden(String name) throws IOException {
        try (InputStream golden = JournalFormatTest.class.getResourceAsStream(name)) {
            return new String(golden.readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .toList();
        }
    }

    private byte[] bytes(String file) throws IOException {
        ByteBuffer all = ByteBuffer.allocate((int) disk.length(file).orElseThrow());
        disk.read(file, 0, all);
        return all.array();
    }

    /** A line for the head of each segment, and for each record. */
    private List<String> lines() throws IOException {
        List<String> lines = new ArrayList<>();
        for (String file : disk.files()) {
            byte[] all = bytes(file);
            Segment segment =
                    Segment.of(disk, Segment.parse(file).orElseThrow()).orElseThrow();
            lines.add(file + " " + hex(all, 0, Segment.HEAD_BYTES));
            for (int at = Segment.HEAD_BYTES; at < all.length; ) {
                JournalRecord record = segment.recordAt(disk, at).orElseThrow();
                int end = (int) Segment.bytesAt(record, at) + record.bytes();
                lines.add(record.operation() + " " + hex(all, at, end));
                at = end;
            }
        }
        return lines;
    }

    private static String hex(byte[] all, int from, int to) {
        return HexFormat.of().formatHex(all, from, to);
    }

    @Test
    void segmentsHaveTheBytesOfTheGoldenFile() throws IOException {
        write(false);
        assertThat(lines()).isEqualTo(golden("journal.txt"));
        for (Operation operation : Operation.values()) {
            assertThat(lines()).as("a sample of %s", operation).anyMatch(line -> line.startsWith(operation + " "));
        }
    }

    @Test
    void aSegmentThatHasBecomeTheOldestHasTheBytesOfTheGoldenFile() throws IOException {
        write(true);
        assertThat(lines()).isEqualTo(golden("journal-freed.txt"));
    }

    @Test
    void theGoldenFilesAreRead() throws IOException {
        for (String name : List.of("journal.txt", "journal-freed.txt")) {
            List<String> recorded = golden(name);
            for (String segment : disk.files()) {
                disk.delete(segment);
            }
            restore(recorded);
            List<String> read = new ArrayList<>();
            boolean whole = journal().load(new JournalLoad.Receiver() {
                @Override
                public void record(Journal.Place at) {
                    read.add(at.record().operation().name());
                }

                @Override
                public void damaged(JournalRecord record) {
                    read.add("damaged");
                }

                @Override
                public void lost(List<JournalRecord> behind) {
                    read.add("lost");
                }
            });
            assertThat(whole).isTrue();
            assertThat(lines()).as("nothing is removed").isEqualTo(recorded);
            assertThat(read)
                    .isEqualTo(recorded.stream()
                            .map(line -> line.substring(0, line.indexOf(' ')))
                            .filter(word -> !word.endsWith(".journal"))
                            .collect(Collectors.toList()));
        }
    }

    private void restore(List<String> lines) throws IOException {
        String file = "";
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        for (String line : lines) {
            int space = line.indexOf(' ');
            if (line.substring(0, space).endsWith(".journal")) {
                restore(file, bytes.toByteArray());
                file = line.substring(0, space);
                bytes.reset();
            }
            bytes.writeBytes(HexFormat.of().parseHex(line.substring(space + 1)));
        }
        restore(file, bytes.toByteArray());
    }

    private void restore(String file, byte[] bytes) throws IOException {
        if (bytes.length > 0) {
            disk.create(file);
            disk.write(file, 0, ByteBuffer.wrap(Arrays.copyOf(bytes, bytes.length)));
        }
    }
}
