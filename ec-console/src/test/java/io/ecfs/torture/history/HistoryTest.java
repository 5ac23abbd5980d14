package io.ecfs.torture.history;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ecfs.env.Clock;
import io.ecfs.error.EcfsException;
import io.ecfs.error.ErrorCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Histories in their files. */
class HistoryTest {
    private static final List<Call> CALLS = List.of(
            new Call(0, new Operation.Create("/a", 7, true, 100), 10, 20, new Answer.Done()),
            new Call(1, new Operation.Append("/a", 8, 50), 11, 21, new Answer.Sized(100)),
            new Call(0, new Operation.Flush(7, 90, true), 22, 30, new Answer.Done()),
            new Call(0, new Operation.Close(7, 100, false), 31, Call.NEVER, new Answer.Unknown("TIMEOUT: \"x\"")),
            new Call(1, new Operation.Rename("/a", "/b", false), 32, 40, new Answer.Refused(ErrorCode.NOT_FOUND)),
            new Call(0, new Operation.Delete("/a", false), 41, 42, new Answer.Done()),
            new Call(0, new Operation.Mkdirs("/d"), 43, 44, new Answer.Done()),
            new Call(0, new Operation.Truncate("/a", 3), 45, 46, new Answer.Sized(3)),
            new Call(0, new Operation.Concat("/a", List.of("/b")), 47, 48, new Answer.Sized(9)),
            new Call(0, new Operation.Recover("/a"), 49, 50, new Answer.Recovered(true)),
            new Call(0, new Operation.Status("/a"), 51, 52, new Answer.Seen(false, 4, true)),
            new Call(
                    0,
                    new Operation.Read("/a", "together"),
                    53,
                    54,
                    new Answer.Content(List.of(new Run(7, 90), Run.unnamed(3)), Answer.Access.EITHER)),
            new Call(0, new Operation.Read("/a", "streamed"), 55, 56, new Answer.Wrong("nobody's")),
            new Call(
                    0,
                    new Operation.Read("/b", "streamed"),
                    57,
                    58,
                    new Answer.Lost(9, List.of(new Run(7, 4)), List.of(new Answer.Hole(4, 9)), "gone")),
            new Call(4097, new Operation.PowerLoss(), 59, 60, new Answer.Done()));

    @TempDir
    private Path directory;

    @Test
    void everyKindOfCallAndAnswerIsReadBackAsItWas() throws IOException {
        Path file = directory.resolve("history.jsonl");

        HistoryFile.write(file, CALLS);

        assertThat(HistoryFile.read(file)).isEqualTo(CALLS);
        assertThat(CALLS)
                .extracting(call -> call.operation().call())
                .containsAll(Operation.types().keySet());
        assertThat(CALLS)
                .extracting(call -> call.answer().result())
                .containsAll(Answer.types().keySet());
        assertThat(Files.readAllLines(file).get(3))
                .isEqualTo("{\"process\":0,\"call\":\"close\",\"arguments\":{\"tag\":7,\"bytes\":100,\"sync\":false},"
                        + "\"invoke\":31,\"result\":\"unknown\",\"value\":{\"reason\":\"TIMEOUT: \\\"x\\\"\"}}");
    }

    @Test
    void aClientThatWasKilledLeavesAnUnknownOutcomeAndNoTornLine() throws IOException {
        Path file = directory.resolve("client.jsonl");
        long[] now = {0};
        Clock clock = new Clock() {
            @Override
            public long nanos() {
                return ++now[0];
            }

            @Override
            public long epochMillis() {
                return 0;
            }
        };
        try (CallJournal journal = CallJournal.create(clock, file)) {
            long first = journal.invoked(3, new Operation.Delete("/a", false));
            journal.invoked(4, new Operation.Mkdirs("/d"));
            journal.returned(first, new Answer.Done());
        }
        Files.writeString(file, "{\"number\":2,\"proc", StandardOpenOption.APPEND);

        List<Call> calls = CallJournal.read(file);

        assertThat(calls)
                .containsExactly(
                        new Call(3, new Operation.Delete("/a", false), 1, 3, new Answer.Done()),
                        new Call(4, new Operation.Mkdirs("/d"), 2, Call.NEVER, new Answer.Unknown("the client ended")));
    }

    @Test
    void aFileOfSomethingElseIsRefusedInOneLine() throws IOException {
        Path file = directory.resolve("other");
        Files.writeString(file, "{\"process\":1,\"call\":\"dance\"}\n");

        assertThatThrownBy(() -> HistoryFile.read(file))
                .isInstanceOf(EcfsException.class)
                .hasMessageContaining("no line of a history");
    }

    /** What jepsen.io's history and Porcupine's reader of it want: see the class's comment. */
    @Test
    void knossosHasAnEventForEachBeginAndEnd() throws IOException {
        Path file = directory.resolve("history.edn");
        Pattern form = Pattern.compile("\\{:index (\\d+), :time (\\d+), :process (\\d+), :type :(invoke|ok|fail|info), "
                + ":f :([a-z]+), :value (\\{.*\\}|nil)\\}");

        KnossosHistory.write(file, CALLS);

        Set<String> busy = new HashSet<>();
        Set<String> crashed = new HashSet<>();
        long last = 0;
        int index = 0;
        for (String line : Files.readAllLines(file)) {
            Matcher event = form.matcher(line);
            assertThat(event.matches()).as(line).isTrue();
            assertThat(Integer.parseInt(event.group(1))).isEqualTo(index++);
            assertThat(Long.parseLong(event.group(2))).isGreaterThanOrEqualTo(last);
            last = Long.parseLong(event.group(2));
            String process = event.group(3);
            if (event.group(4).equals("invoke")) {
                assertThat(crashed).as(line).doesNotContain(process);
                assertThat(busy.add(process))
                        .as("%s begins while it is busy", line)
                        .isTrue();
            } else if (event.group(4).equals("info")) {
                crashed.add(process);
            } else {
                assertThat(busy.remove(process)).as("%s ends what began", line).isTrue();
            }
        }
        assertThat(index).isEqualTo(2 * CALLS.size());
        assertThat(busy).as("only what is unknown stays open").isEqualTo(crashed);
        assertThat(Files.readAllLines(file).get(2))
                .isEqualTo("{:index 2, :time 20, :process 0, :type :ok, :f :create, :value {}}");
    }
}
