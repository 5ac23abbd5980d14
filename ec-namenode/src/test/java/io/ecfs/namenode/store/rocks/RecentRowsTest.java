package io.ecfs.namenode.store.rocks;

import static org.assertj.core.api.Assertions.assertThat;

import io.ecfs.namenode.row.Keys;
import io.ecfs.namenode.store.KeyValueStore.Table;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class RecentRowsTest {
    private final RecentRows rows = new RecentRows(10_000);

    @Test
    void knowsWhatWasReadAndWrittenUntilItIsGone() {
        rows.read(Table.INODES, Keys.number(1), Optional.of(new byte[] {1}));
        rows.written(Table.INODES, Keys.number(2), Optional.of(new byte[] {2}));
        assertThat(rows.get(Table.INODES, Keys.number(1)).orElseThrow()).containsExactly(1);
        assertThat(rows.get(Table.INODES, Keys.number(2)).orElseThrow()).containsExactly(2);
        assertThat(rows.get(Table.GROUPS, Keys.number(2))).isNull();

        rows.written(Table.INODES, Keys.number(2), Optional.empty());
        assertThat(rows.get(Table.INODES, Keys.number(2))).isNull();
    }

    @Test
    void aRowThatIsOnlyWrittenTakesNoRoom() {
        rows.read(Table.EVENTS, Keys.number(1), Optional.of(new byte[] {1}));
        rows.written(Table.EVENTS, Keys.number(1), Optional.of(new byte[] {2}));
        assertThat(rows.get(Table.EVENTS, Keys.number(1))).isNull();
    }

    @Test
    void aRowThatDoesNotExistIsKnownNotToUntilItIsWritten() {
        rows.read(Table.META, Keys.number(1), Optional.empty());
        assertThat(rows.get(Table.META, Keys.number(1))).isEmpty();
        rows.written(Table.META, Keys.number(1), Optional.of(new byte[] {3}));
        assertThat(rows.get(Table.META, Keys.number(1)).orElseThrow()).containsExactly(3);

        rows.read(Table.EVENTS, Keys.number(1), Optional.empty());
        rows.written(Table.EVENTS, Keys.number(1), Optional.of(new byte[] {2}));
        assertThat(rows.get(Table.EVENTS, Keys.number(1))).isNull();
    }

    @Test
    void theLongestUnusedRowsGoWhenTheBytesAreMoreThanAllowed() {
        for (long i = 0; i < 1000; i++) {
            rows.written(Table.INODES, Keys.number(i), Optional.of(new byte[50]));
            assertThat(rows.get(Table.INODES, Keys.number(0))).isNotNull();
        }
        assertThat(rows.get(Table.INODES, Keys.number(999))).isNotNull();
        assertThat(rows.get(Table.INODES, Keys.number(500))).isNull();

        rows.written(Table.INODES, Keys.number(7), Optional.of(new byte[20_000]));
        assertThat(rows.get(Table.INODES, Keys.number(7))).isNull();
        rows.written(Table.INODES, Keys.number(8), Optional.of(new byte[50]));
        assertThat(rows.get(Table.INODES, Keys.number(8))).isNotNull();
    }
}
