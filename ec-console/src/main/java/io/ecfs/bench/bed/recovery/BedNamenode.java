package io.ecfs.bench.bed.recovery;

import io.ecfs.message.Address;
import io.ecfs.message.datanode.DatanodeReply;
import io.ecfs.message.datanode.DatanodeReport;
import io.ecfs.message.namespace.NamespaceReply;
import io.ecfs.message.namespace.NamespaceRequest;
import io.ecfs.namenode.command.CallerIdentity;
import io.ecfs.namenode.context.Members;
import io.ecfs.namenode.history.HistoryBounds;
import io.ecfs.namenode.log.MemoryQuorum;
import io.ecfs.namenode.report.DatanodeTable;
import io.ecfs.namenode.rpc.Namenode;
import io.ecfs.namenode.settings.BalanceSettings;
import io.ecfs.namenode.settings.MoverSettings;
import io.ecfs.namenode.settings.NamenodeSettings;
import io.ecfs.namenode.settings.ParitySettings;
import io.ecfs.namenode.settings.RecoverySettings;
import io.ecfs.namenode.state.MetadataState;
import io.ecfs.namenode.store.MemoryStore;
import io.ecfs.sim.time.SimProcess;
import io.ecfs.sim.time.VirtualTime;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;

/** A real namenode that leads alone, its log in memory. Messages to it take {@link #LATENCY_NANOS} each way. */
final class BedNamenode {
    static final long LATENCY_NANOS = 100_000;

    private static final String ID = "nn0";
    private static final String USER = "user";

    /** To commit an entry, and to apply it. */
    private static final Duration LOG_STEP = Duration.ofMillis(2);

    private final VirtualTime time;
    private final SimProcess process;
    private final Namenode namenode;
    private final CallerIdentity caller = new CallerIdentity(USER, List.of());

    BedNamenode(VirtualTime time, RecoveryPlan plan, SplittableRandom random) {
        this.time = time;
        SimProcess log = new SimProcess("log", time, random.split());
        MemoryQuorum quorum =
                new MemoryQuorum(log.scheduler("log"), log.environment().randomness(), LOG_STEP, 1);
        process = new SimProcess(ID, time, random.split());
        Members members = new Members(ID, Map.of(ID, new Address(ID, 8000)));
        MetadataState state = new MetadataState(new MemoryStore());
        namenode = new Namenode(
                process.environment(),
                members,
                quorum.join(ID, members.addresses().get(ID), state),
                state,
                settings(plan));
        time.after(0, () -> quorum.elect(ID));
    }

    /** As usual, but that nothing moves and no parity is compared, and that a trace of each repair is retained. */
    private static NamenodeSettings settings(RecoveryPlan plan) {
        NamenodeSettings usual = NamenodeSettings.defaults(plan.data().policy(), USER);
        RecoverySettings recovery = usual.recovery();
        RepairLimits limits = plan.limits();
        int chunks = plan.data().files() * plan.data().policy().chunks();
        ParitySettings parity = usual.parityCheck();
        MoverSettings mover = usual.mover();
        return new NamenodeSettings(
                usual.defaultPolicy(),
                usual.superuser(),
                new DatanodeTable.Silence(limits.suspectAfter()),
                usual.leaseSoftLimit(),
                usual.leaseHardLimit(),
                usual.leaseRecoveryWait(),
                usual.leaseCloseWait(),
                usual.safeModeThreshold(),
                usual.safeModeDatanodes(),
                usual.safeModeExtension(),
                usual.minFreeBytes(),
                usual.chunksPerVolume(),
                usual.deletesPerHeartbeat(),
                usual.purgeBudget(),
                usual.garbage(),
                usual.tokenLife(),
                usual.keyLife(),
                usual.keyActivation(),
                usual.tick(),
                new RecoverySettings(
                        limits.grace(),
                        recovery.graceAlways(),
                        recovery.settle(),
                        recovery.deadline(),
                        recovery.retryAfter(),
                        recovery.retryAtMost(),
                        limits.atOnce(),
                        limits.perDatanode()),
                new BalanceSettings(false, usual.balance().threshold()),
                new MoverSettings(
                        false,
                        mover.chunksPerSecond(),
                        mover.bandwidthShare(),
                        mover.leastBytesPerSecond(),
                        mover.leastRequestsPerSecond(),
                        mover.leastWaitNanos(),
                        mover.weights(),
                        mover.leastGain(),
                        mover.standardErrors(),
                        mover.overheadNanos(),
                        mover.perByteNanos()),
                new ParitySettings(
                        false, parity.period(), parity.leastBytesPerSecond(), parity.mostBytesPerSecondPerDatanode()),
                usual.rewrite(),
                new HistoryBounds(usual.history().events(), usual.history().incidents(), chunks));
    }

    /** Now, by its wall clock. */
    long epochMillis() {
        return process.environment().clock().epochMillis();
    }

    CompletableFuture<DatanodeReply> ask(DatanodeReport report) {
        return travelled(() -> namenode.datanode(report));
    }

    CompletableFuture<NamespaceReply> ask(NamespaceRequest request) {
        return travelled(() -> namenode.namespace(caller, request));
    }

    private interface Call<T> {
        CompletableFuture<T> begin();
    }

    private <T> CompletableFuture<T> travelled(Call<T> call) {
        CompletableFuture<T> arrived = new CompletableFuture<>();
        time.after(
                LATENCY_NANOS,
                () -> call.begin()
                        .whenComplete((reply, failure) -> time.after(LATENCY_NANOS, () -> {
                            if (failure == null) {
                                arrived.complete(reply);
                            } else {
                                arrived.completeExceptionally(failure);
                            }
                        })));
        return arrived;
    }
}
