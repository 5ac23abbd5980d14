package io.ecfs.dispatch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ecfs.error.EcfsException;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class HandlerTableTest {
    sealed interface Operation {
        record Open(String path) implements Operation {}

        record Close(int number) implements Operation {}

        sealed interface Change extends Operation {
            record Cut(long at) implements Change {}
        }
    }

    private static final HandlerTable<Operation, String, String> FILES =
            HandlerTable.<Operation, String, String>builder()
                    .on(Operation.Open.class, (user, open) -> user + " opens " + open.path())
                    .on(Operation.Close.class, (user, close) -> user + " closes " + close.number())
                    .build();

    private static final HandlerTable<Operation, String, String> CHANGES =
            HandlerTable.<Operation, String, String>builder()
                    .on(Operation.Change.Cut.class, (user, cut) -> user + " cuts at " + cut.at())
                    .build();

    @Test
    void eachRecordReachesItsHandler() throws EcfsException {
        HandlerTable<Operation, String, String> all = HandlerTable.<Operation, String, String>builder()
                .with(FILES)
                .with(CHANGES)
                .build();
        assertThat(all.handle("ann", new Operation.Open("/a"))).isEqualTo("ann opens /a");
        assertThat(all.handle("ann", new Operation.Close(3))).isEqualTo("ann closes 3");
        assertThat(all.handle("ann", new Operation.Change.Cut(9))).isEqualTo("ann cuts at 9");
    }

    @Test
    void tablesThatHaveEveryRecordOnceAreComplete() {
        assertThatCode(() -> HandlerTable.requireComplete(
                        HandlerTable.records(Operation.class), List.of(FILES.kinds(), CHANGES.kinds())))
                .doesNotThrowAnyException();
    }

    @Test
    void aMissingHandlerIsNamed() {
        assertThatThrownBy(() ->
                        HandlerTable.requireComplete(HandlerTable.records(Operation.class), List.of(FILES.kinds())))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("without a handler: [HandlerTableTest$Operation$Change$Cut]");
    }

    @Test
    void aRecordInTwoTablesIsNamed() {
        assertThatThrownBy(() -> HandlerTable.requireComplete(
                        HandlerTable.records(Operation.class),
                        List.of(FILES.kinds(), CHANGES.kinds(), Set.of(Operation.Close.class))))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("with two, or of another type: [HandlerTableTest$Operation$Close]");
    }

    @Test
    void aSecondHandlerOfOneClassIsRefused() {
        HandlerTable.Builder<Operation, String, String> builder = HandlerTable.builder();
        builder.with(FILES);
        assertThatThrownBy(() -> builder.on(Operation.Open.class, (user, open) -> "again"))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("Open has two handlers");
    }

    @Test
    void aRecordWithoutHandlerIsABug() {
        assertThatThrownBy(() -> CHANGES.handle("ann", new Operation.Open("/a")))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("no handler for HandlerTableTest$Operation$Open");
    }
}
