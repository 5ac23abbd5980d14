package io.ecfs.namenode.state;

import static org.assertj.core.api.Assertions.assertThat;

import io.ecfs.error.ErrorCode;
import io.ecfs.layout.EncodingSide;
import io.ecfs.layout.Policy;
import io.ecfs.message.CallerContext;
import io.ecfs.message.FeatureLevel;
import io.ecfs.message.namespace.NamespaceRequest.SetEncoding;
import io.ecfs.message.namespace.NamespaceRequest.SetPolicy;
import io.ecfs.message.namespace.NamespaceRequest.SetQuota;
import io.ecfs.message.namespace.NamespaceRequest.SetThrottles;
import io.ecfs.message.report.ClusterEvent;
import io.ecfs.message.report.HistoryEvent;
import io.ecfs.namenode.command.CallerIdentity;
import io.ecfs.namenode.log.ReplicatedState.Position;
import io.ecfs.namenode.store.MemoryStore;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Changes of settings in the history. */
class RecordedSettingsTest {
    private static final CallerIdentity OPERATOR =
            new CallerIdentity("root", List.of(), new CallerContext("client console:ann"));

    private Ledger ledger = new Ledger(new MemoryStore());

    private List<ClusterEvent> events() {
        return events(ledger.state);
    }

    private static List<ClusterEvent> events(MetadataState state) {
        try (MetadataView view = state.view()) {
            return view.events(0, 1000).stream().map(HistoryEvent::event).toList();
        }
    }

    private SetThrottles atOnce(long value) {
        return new SetThrottles(ledger.request(), Optional.of(value), Optional.empty(), Optional.empty());
    }

    private SetPolicy policy(String path, Optional<String> name) {
        return new SetPolicy(ledger.request(), Ledger.path(path), name.map(Policy::parse));
    }

    private SetQuota quota(String path, Optional<Long> names, Optional<Long> space) {
        return new SetQuota(ledger.request(), Ledger.path(path), names, space);
    }

    @Test
    void throttlesAreRecordedWithThePersonBehindTheCaller() {
        ledger.call(OPERATOR, atOnce(7));
        assertThat(events())
                .containsExactly(new ClusterEvent.ThrottlesChanged(
                        Optional.of(7L), Optional.empty(), Optional.empty(), "ann as root"));
    }

    @Test
    void aThrottleThatIsSetAgainIsNoEvent() {
        ledger.done(atOnce(7));
        ledger.done(atOnce(7));
        ledger.done(atOnce(SetThrottles.AS_CONFIGURED));
        ledger.done(atOnce(SetThrottles.AS_CONFIGURED));
        assertThat(events())
                .extracting(event -> ((ClusterEvent.ThrottlesChanged) event).repairsAtOnce())
                .containsExactly(Optional.of(7L), Optional.of(SetThrottles.AS_CONFIGURED));
    }

    @Test
    void aPolicyIsRecordedWithTheOneBefore() {
        ledger.done(ledger.mkdirs("/a"));
        ledger.done(policy("/a", Optional.of("rs-6-3-1024k")));
        ledger.done(policy("/a", Optional.of("rs-6-3-1024k")));
        ledger.call(OPERATOR, policy("/a", Optional.empty()));
        Optional<String> name = Optional.of("rs-6-3-1024k");
        assertThat(events())
                .containsExactly(
                        new ClusterEvent.PolicyChanged("/a", Optional.empty(), name, "root"),
                        new ClusterEvent.PolicyChanged("/a", name, Optional.empty(), "ann as root"));
    }

    @Test
    void aPolicyThatIsSetWithTheEncodingSideIsRecordedToo() {
        ledger.done(ledger.mkdirs("/a"));
        Optional<String> name = Optional.of("rs-6-3-1024k");
        Optional<EncodingSide> master = Optional.of(EncodingSide.MASTER);
        ledger.done(new SetEncoding(ledger.request(), Ledger.path("/a"), master));
        ledger.call(
                OPERATOR,
                new SetEncoding(
                        ledger.request(),
                        Ledger.path("/a"),
                        master,
                        Optional.of(new SetEncoding.PolicyChange(name.map(Policy::parse)))));
        assertThat(events())
                .containsExactly(new ClusterEvent.PolicyChanged("/a", Optional.empty(), name, "ann as root"));
    }

    @Test
    void aQuotaIsRecordedWithAllItsBounds() {
        ledger.done(ledger.mkdirs("/a"));
        ledger.done(quota("/a", Optional.of(10L), Optional.empty()));
        ledger.done(quota("/a", Optional.empty(), Optional.of(1000L)));
        ledger.done(quota("/a", Optional.of(SetQuota.UNBOUNDED), Optional.empty()));
        ledger.done(quota("/a", Optional.of(SetQuota.UNBOUNDED), Optional.empty()));
        assertThat(events())
                .containsExactly(
                        new ClusterEvent.QuotaChanged("/a", Optional.of(10L), Optional.empty(), "root"),
                        new ClusterEvent.QuotaChanged("/a", Optional.of(10L), Optional.of(1000L), "root"),
                        new ClusterEvent.QuotaChanged("/a", Optional.empty(), Optional.of(1000L), "root"));
    }

    @Test
    void aRefusedChangeIsNoEvent() {
        ledger.done(ledger.mkdirs("/a"));
        CallerIdentity eve = new CallerIdentity("eve", List.of());
        ledger.refused(eve, quota("/a", Optional.of(10L), Optional.empty()), ErrorCode.ACCESS_DENIED);
        ledger.refused(eve, policy("/a", Optional.empty()), ErrorCode.ACCESS_DENIED);
        assertThat(events()).isEmpty();
    }

    @Test
    void levelOneHasNoEventOfSettings() {
        ledger = new Ledger(new MemoryStore(), FeatureLevel.FIRST);
        ledger.done(ledger.mkdirs("/a"));
        ledger.done(atOnce(7));
        ledger.done(policy("/a", Optional.of("rs-6-3-1024k")));
        ledger.done(quota("/a", Optional.of(10L), Optional.empty()));
        assertThat(events()).isEmpty();
    }

    @Test
    void replayGivesTheSameEvents() {
        ledger.done(ledger.mkdirs("/a"));
        ledger.call(OPERATOR, atOnce(7));
        ledger.call(OPERATOR, policy("/a", Optional.of("rs-6-3-1024k")));
        MetadataState other = new MetadataState(new MemoryStore());
        for (int i = 0; i < ledger.commands.size(); i++) {
            other.apply(new Position(1, i + 1), List.of(ledger.commands.get(i)));
        }
        assertThat(events(other)).isEqualTo(events()).hasSize(2);
        assertThat(other.hashAt(other.applied().index()))
                .isEqualTo(ledger.state.hashAt(ledger.state.applied().index()));
    }
}
