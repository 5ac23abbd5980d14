package io.ecfs.namenode.history;

import static org.assertj.core.api.Assertions.assertThat;

import io.ecfs.layout.ChunkId;
import io.ecfs.layout.GroupId;
import io.ecfs.message.DatanodeId;
import io.ecfs.message.VolumeId;
import io.ecfs.message.report.ClusterEvent;
import io.ecfs.message.report.HistoryEvent;
import io.ecfs.message.report.Incident;
import io.ecfs.message.report.IncidentCause;
import io.ecfs.message.report.IncidentCause.Kind;
import io.ecfs.message.report.RepairTrace;
import io.ecfs.namenode.store.KeyValueStore.Table;
import io.ecfs.namenode.store.KeyValueStore.Transaction;
import io.ecfs.namenode.store.KeyValueStore.View;
import io.ecfs.namenode.store.MemoryStore;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/** What is kept of what happened, and how much. */
class HistoryTest {
    private static final DatanodeId DN = new DatanodeId("dn1");

    private final MemoryStore store = new MemoryStore();
    private long now = 1_000;

    private void change(Consumer<Transaction> change) {
        try (Transaction transaction = store.begin()) {
            change.accept(transaction);
            transaction.commit();
        }
    }

    private void record(ClusterEvent event) {
        now += 10;
        change(t -> History.record(t, now, event));
    }

    private <T> T see(Function<View, T> question) {
        try (View view = store.view()) {
            return question.apply(view);
        }
    }

    private List<Incident> incidents() {
        return see(view -> History.incidents(view, 0, 1_000));
    }

    private List<HistoryEvent> events(long after, int limit) {
        return see(view -> History.events(view, after, limit));
    }

    private List<RepairTrace> chunks(long incident, long afterGroup, int afterIndex, int limit) {
        return see(view -> History.chunks(view, incident, afterGroup, afterIndex, limit));
    }

    private List<Incident> goingOn() {
        return see(History::goingOn);
    }

    private void bound(int events, int incidents, int chunks) {
        change(t -> History.bound(t, new HistoryBounds(events, incidents, chunks)));
    }

    private static IncidentCause corrupt(int volume) {
        return IncidentCause.onVolume(Kind.CHUNKS_CORRUPT, DN, new VolumeId(volume));
    }

    private ClusterEvent planned(IncidentCause cause, long group) {
        return new ClusterEvent.RepairPlanned(
                cause, new ChunkId(new GroupId(group), 1, 1), now, now, now, new VolumeId(9), DN, "a test");
    }

    @Test
    void eventsArePagedInOrderAndTheOldestAreForgotten() {
        bound(5, 10, 10);
        for (int i = 0; i < 12; i++) {
            record(new ClusterEvent.LeaderChanged("nn" + i, i));
        }
        assertThat(events(0, 100)).extracting(HistoryEvent::number).containsExactly(8L, 9L, 10L, 11L, 12L);
        List<HistoryEvent> page = events(9, 2);
        assertThat(page).extracting(HistoryEvent::number).containsExactly(10L, 11L);
        assertThat(page.get(0).event()).isEqualTo(new ClusterEvent.LeaderChanged("nn9", 9));
        bound(2, 10, 10);
        record(new ClusterEvent.LeaderChanged("nn", 1));
        assertThat(events(0, 100)).hasSize(2);
    }

    @Test
    void aRepairOpensAnIncidentWhereThereIsNone() {
        record(planned(corrupt(1), 5));
        record(planned(corrupt(1), 6));
        record(planned(corrupt(2), 7));
        assertThat(incidents()).extracting(Incident::id).containsExactly(1L, 2L);
        assertThat(incidents().get(0).traces()).isEqualTo(2);
        record(new ClusterEvent.IncidentHealed(corrupt(1)));
        assertThat(goingOn()).extracting(Incident::id).containsExactly(2L);
        record(planned(corrupt(1), 5));
        assertThat(incidents()).extracting(Incident::id).containsExactly(1L, 2L, 3L);
    }

    @Test
    void aDatanodeThatStaysDeadIsOneIncidentUntilItIsHeardAgain() {
        IncidentCause dead = IncidentCause.dead(DN);
        ClusterEvent opened = new ClusterEvent.IncidentOpened(dead, 10, 20);
        record(opened);
        long events = events(0, 100).size();
        record(opened);
        assertThat(events(0, 100).size()).isEqualTo((int) events);
        record(new ClusterEvent.IncidentHealed(dead));
        record(opened);
        assertThat(incidents()).hasSize(1);
        assertThat(goingOn()).hasSize(1);
        record(new ClusterEvent.CauseGone(dead));
        assertThat(goingOn()).isEmpty();
        record(opened);
        assertThat(incidents()).hasSize(2);
    }

    @Test
    void moreChunksThanAreKeptAreInTheSumsOnly() {
        bound(100, 10, 3);
        for (int group = 1; group <= 5; group++) {
            record(planned(corrupt(1), group));
        }
        assertThat(incidents().get(0).attempts()).isEqualTo(5);
        assertThat(incidents().get(0).traces()).isEqualTo(3);
        assertThat(chunks(1, 0, 0, 100))
                .extracting(trace -> trace.group().value())
                .containsExactly(1L, 2L, 3L);
        assertThat(chunks(1, 1, 1, 1)).extracting(RepairTrace::group).containsExactly(new GroupId(2));
    }

    @Test
    void theOldestIncidentThatIsOverIsForgottenFirstWithItsChunks() {
        bound(1_000, 3, 10);
        for (int volume = 1; volume <= 3; volume++) {
            record(planned(corrupt(volume), volume));
        }
        record(new ClusterEvent.IncidentHealed(corrupt(2)));
        record(planned(corrupt(4), 4));
        assertThat(incidents()).extracting(Incident::id).containsExactly(1L, 3L, 4L);
        assertThat(chunks(2, 0, 0, 10)).isEmpty();
        for (int volume = 5; volume <= 50; volume++) {
            record(planned(corrupt(volume), volume));
            // A new one of a cause that is kept is the same one.
            record(planned(corrupt(volume), volume + 100));
        }
        assertThat(incidents()).hasSize(3);
        List<Long> rows = new ArrayList<>();
        see(view -> {
            view.scan(Table.INCIDENTS, new byte[0], null, (key, row) -> rows.add(0L));
            return Optional.empty();
        });
        // Three incidents, three causes, two chunks of each.
        assertThat(rows).hasSize(12);
    }

    @Test
    void movesThatWerePlannedAreForgottenBeforeOlderDamage() {
        bound(1_000, 3, 10);
        for (IncidentCause cause : List.of(corrupt(1), corrupt(2), IncidentCause.uneven())) {
            record(planned(cause, 1));
            record(new ClusterEvent.IncidentHealed(cause));
            record(new ClusterEvent.CauseGone(cause));
        }
        record(planned(corrupt(3), 1));
        assertThat(incidents()).extracting(Incident::id).containsExactly(1L, 2L, 4L);
    }
}
