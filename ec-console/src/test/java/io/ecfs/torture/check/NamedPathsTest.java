package io.ecfs.torture.check;

import static org.assertj.core.api.Assertions.assertThat;

import io.ecfs.error.ErrorCode;
import io.ecfs.torture.history.Answer;
import io.ecfs.torture.history.Call;
import io.ecfs.torture.history.Operation;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Where something may lie after a history. */
class NamedPathsTest {
    private static final Answer DONE = new Answer.Done();

    private final List<Call> calls = new ArrayList<>();

    private void call(Operation operation, Answer answer) {
        long now = 10L * calls.size();
        calls.add(new Call(0, operation, now, now + 5, answer));
    }

    @Test
    void whatLiesInADirectoryMovesWithIt() {
        call(new Operation.Mkdirs("/t/g/d"), DONE);
        call(new Operation.Create("/t/g/d/x", 1, false, 10), DONE);
        call(new Operation.Rename("/t/g/d", "/t/g/b", false), DONE);
        call(new Operation.Rename("/t/g/b", "/t/g/c", false), new Answer.Unknown("TIMEOUT"));
        call(new Operation.Rename("/t/g/d", "/t/g/a", false), new Answer.Refused(ErrorCode.NOT_FOUND));

        assertThat(NamedPaths.of(calls))
                .containsExactly("/t/g/a", "/t/g/b", "/t/g/b/x", "/t/g/c", "/t/g/c/x", "/t/g/d", "/t/g/d/x");
    }

    @Test
    void directoriesThatAreRenamedIntoEachOtherHaveAnEnd() {
        for (int time = 0; time < 30; time++) {
            call(new Operation.Rename("/t/g/d", "/t/g/b", false), DONE);
            call(new Operation.Rename("/t/g/b", "/t/g/d/x", false), DONE);
        }

        assertThat(NamedPaths.of(calls)).hasSizeLessThan(10).contains("/t/g/b/x/x", "/t/g/d/x/x");
    }
}
