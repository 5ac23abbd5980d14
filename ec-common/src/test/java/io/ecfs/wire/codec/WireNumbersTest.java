package io.ecfs.wire.codec;

import static org.assertj.core.api.Assertions.assertThat;

import io.ecfs.message.CancelCalls;
import io.ecfs.message.Failure;
import io.ecfs.message.Greeting;
import io.ecfs.message.Message;
import io.ecfs.message.Metering;
import io.ecfs.message.chunk.ChunkReads;
import io.ecfs.message.chunk.ChunkReply;
import io.ecfs.message.chunk.ChunkRequest;
import io.ecfs.message.chunk.VolumeLoad;
import io.ecfs.message.datanode.DatanodeReply;
import io.ecfs.message.datanode.DatanodeReport;
import io.ecfs.message.namespace.NamespaceReply;
import io.ecfs.message.namespace.NamespaceRequest;
import io.ecfs.message.snapshot.SnapshotReply;
import io.ecfs.message.snapshot.SnapshotRequest;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class WireNumbersTest {
    private static final List<Class<?>> CONVERSATIONS = List.of(
            Greeting.class,
            Metering.class,
            VolumeLoad.class,
            ChunkRequest.class,
            ChunkReply.class,
            DatanodeReport.class,
            DatanodeReply.class,
            SnapshotRequest.class,
            SnapshotReply.class,
            NamespaceRequest.class,
            NamespaceReply.class);

    @Test
    void everyRecordOfEveryConversationHasANumber() {
        List<Class<?>> records = Stream.concat(
                        CONVERSATIONS.stream().flatMap(WireNumbersTest::records),
                        Stream.of(Failure.class, ChunkReads.class, CancelCalls.class))
                .toList();
        assertThat(WireNumbers.all().values())
                .hasSameElementsAs(records.stream()
                        .<Class<? extends Message>>map(kind -> kind.asSubclass(Message.class))
                        .toList());
        WireNumbers.all().forEach((number, kind) -> {
            assertThat(WireNumbers.of(kind)).isEqualTo(number);
            assertThat(WireNumbers.record(number)).contains(kind);
        });
    }

    /**
     * A number that changes its meaning breaks rolling upgrades: add lines to the golden file. The names in it are
     * labels without the package; a rename changes the label and never the number.
     */
    @Test
    void numbersAreThoseOfTheGoldenFile() throws IOException {
        try (InputStream golden = getClass().getResourceAsStream("wire-numbers.txt")) {
            String expected = new String(golden.readAllBytes(), StandardCharsets.UTF_8);
            String actual = WireNumbers.all().entrySet().stream()
                    .map(e -> e.getKey() + " " + label(e.getValue()))
                    .collect(Collectors.joining("\n", "", "\n"));
            assertThat(actual).isEqualTo(expected);
        }
    }

    @Test
    void noTwoNumbersHaveOneLabel() {
        assertThat(WireNumbers.all().values())
                .extracting(WireNumbersTest::label)
                .doesNotHaveDuplicates();
    }

    private static String label(Class<?> kind) {
        return kind.getName().replaceFirst("^.*\\.", "");
    }

    private static Stream<Class<?>> records(Class<?> kind) {
        return kind.isSealed()
                ? Stream.of(kind.getPermittedSubclasses()).flatMap(WireNumbersTest::records)
                : Stream.of(kind);
    }
}
