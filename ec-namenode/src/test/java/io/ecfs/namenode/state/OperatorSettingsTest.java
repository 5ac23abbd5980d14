package io.ecfs.namenode.state;

import static org.assertj.core.api.Assertions.assertThat;

import io.ecfs.error.ErrorCode;
import io.ecfs.message.namespace.NamespaceRequest.Mutation;
import io.ecfs.message.namespace.NamespaceRequest.OpenSession;
import io.ecfs.message.namespace.NamespaceRequest.PauseMover;
import io.ecfs.message.namespace.NamespaceRequest.SetSafeMode;
import io.ecfs.message.namespace.NamespaceRequest.SetThrottles;
import io.ecfs.namenode.cluster.Counter;
import io.ecfs.namenode.command.CallerIdentity;
import io.ecfs.namenode.command.CommandResult;
import io.ecfs.namenode.store.MemoryStore;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What an operator sets for whoever leads, and who may. */
class OperatorSettingsTest {
    private final Ledger ledger = new Ledger(new MemoryStore());

    private long count(Counter counter) {
        try (MetadataView view = ledger.state.view()) {
            return view.count(counter);
        }
    }

    private SetThrottles throttles(Optional<Long> atOnce, Optional<Long> perDatanode, Optional<Long> bytes) {
        return new SetThrottles(ledger.request(), atOnce, perDatanode, bytes);
    }

    @Test
    void onlyTheSuperuserSetsThem() {
        List<Mutation> settings = List.of(
                new SetSafeMode(ledger.request(), true),
                new PauseMover(ledger.request(), true),
                throttles(Optional.of(1L), Optional.empty(), Optional.empty()));
        for (Mutation setting : settings) {
            ledger.refused(new CallerIdentity("eve", List.of("users")), setting, ErrorCode.ACCESS_DENIED);
        }
        CallerIdentity operator = new CallerIdentity("ann", List.of("supergroup"));
        assertThat(ledger.call(operator, new PauseMover(ledger.request(), true)))
                .isEqualTo(new CommandResult.Done());
        assertThat(count(Counter.MOVER_PAUSED)).isEqualTo(1);
    }

    @Test
    void safeModeRefusesChangesUntilItEndsHoweverOftenItIsBegun() {
        ledger.done(new SetSafeMode(ledger.request(), true));
        ledger.done(new SetSafeMode(ledger.request(), true));
        ledger.refused(ledger.mkdirs("/a"), ErrorCode.SAFE_MODE);
        ledger.done(new OpenSession(ledger.request("another")));
        ledger.done(new SetSafeMode(ledger.request(), false));
        ledger.done(new SetSafeMode(ledger.request(), false));
        assertThat(count(Counter.SAFE_MODE)).isZero();
        ledger.done(ledger.mkdirs("/a"));
        assertThat(ledger.status("/a")).isPresent();
    }

    @Test
    void theMoverIsPausedAndResumedHoweverOftenThatIsAsked() {
        for (boolean paused : new boolean[] {true, true, false, false, true}) {
            ledger.done(new PauseMover(ledger.request(), paused));
            assertThat(count(Counter.MOVER_PAUSED)).isEqualTo(paused ? 1 : 0);
        }
    }

    /** What is set is kept plus one, so that nothing and 0 differ. */
    @Test
    void aThrottleIsSetReplacedAndTakenBackAndTheOthersStay() {
        ledger.done(throttles(Optional.of(3L), Optional.empty(), Optional.of(1L << 20)));
        assertThat(count(Counter.REPAIRS_AT_ONCE)).isEqualTo(4);
        assertThat(count(Counter.REPAIRS_PER_DATANODE)).isZero();
        assertThat(count(Counter.REPAIR_BYTES_PER_SECOND)).isEqualTo((1 << 20) + 1);
        ledger.done(throttles(Optional.of(2L), Optional.of(5L), Optional.empty()));
        assertThat(count(Counter.REPAIRS_AT_ONCE)).isEqualTo(3);
        assertThat(count(Counter.REPAIRS_PER_DATANODE)).isEqualTo(6);
        assertThat(count(Counter.REPAIR_BYTES_PER_SECOND)).isEqualTo((1 << 20) + 1);
        Optional<Long> configured = Optional.of(SetThrottles.AS_CONFIGURED);
        ledger.done(throttles(configured, configured, configured));
        for (Counter counter :
                List.of(Counter.REPAIRS_AT_ONCE, Counter.REPAIRS_PER_DATANODE, Counter.REPAIR_BYTES_PER_SECOND)) {
            assertThat(count(counter)).isZero();
        }
    }
}
