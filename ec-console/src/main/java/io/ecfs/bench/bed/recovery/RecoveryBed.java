package io.ecfs.bench.bed.recovery;

import io.ecfs.bench.bed.hardware.Agenda;
import io.ecfs.bench.bed.hardware.Star;
import io.ecfs.bench.bed.hardware.Topology;
import io.ecfs.code.ChunkSet;
import io.ecfs.code.ErasureCode;
import io.ecfs.code.RepairPlan;
import io.ecfs.code.construction.ErasureCodes;
import io.ecfs.code.kernel.Kernels;
import io.ecfs.error.EcfsException;
import io.ecfs.error.Invariant;
import io.ecfs.layout.GroupLayout;
import io.ecfs.message.Address;
import io.ecfs.message.DatanodeId;
import io.ecfs.message.chunk.ChunkLocation;
import io.ecfs.message.datanode.DatanodeOrder;
import io.ecfs.message.datanode.DatanodeReply;
import io.ecfs.message.datanode.DatanodeReport;
import io.ecfs.sim.time.SimulationFailure;
import io.ecfs.sim.time.VirtualTime;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.TreeMap;

/**
 * Runs a {@link RecoveryPlan}: a cluster starts, gets its files, loses datanodes, and is watched until its history says
 * that all is healed. A single use of one thread.
 */
public final class RecoveryBed {
    private static final long SECOND = 1_000_000_000L;
    private static final long HOLD_MILLIS = 10_000;
    private static final Duration STEP = Duration.ofMillis(100);

    /** Until whatever the files left to do is done. */
    private static final Duration QUIET = Duration.ofSeconds(20);

    /** Far longer than any recovery that ends. */
    private static final long MOST_NANOS = Duration.ofDays(300).toNanos();

    private static final long CAPACITY = 4L << 40;

    private final RecoveryPlan plan;
    private final VirtualTime time = new VirtualTime();
    private final SplittableRandom random;
    private final BedNamenode namenode;
    private final ErasureCode code;
    private final Map<DatanodeId, PretendDatanode> datanodes = new TreeMap<>();
    private final Map<DatanodeId, BedDatanode> machines = new TreeMap<>();
    private final Map<DatanodeId, Integer> rebuilding = new TreeMap<>();
    private final Map<RepairPlan, List<RebuildSlices.Slice>> slices = new HashMap<>(); // of files, which are alike
    private int registered;

    private RecoveryBed(RecoveryPlan plan) {
        this.plan = plan;
        this.random = new SplittableRandom(plan.seed());
        this.namenode = new BedNamenode(time, plan, random.split());
        this.code = ErasureCodes.create(plan.data().policy().code(), Kernels.java());
        Topology network =
                new Star(Agenda.of(time), BedNamenode.LATENCY_NANOS, plan.data().datanodes());
        for (int i = 0; i < plan.data().datanodes(); i++) {
            DatanodeId id = new DatanodeId(String.format("dn%03d", i));
            datanodes.put(
                    id, new PretendDatanode(id, "uuid-" + i, CAPACITY, report -> tell(id, report), this::rebuild));
            machines.put(id, new BedDatanode(time, i, plan.hardware(), network));
        }
    }

    /** @throws IllegalArgumentException when the deaths leave a group unreadable */
    public static RecoveryResult run(RecoveryPlan plan) {
        return new RecoveryBed(plan).run();
    }

    private RecoveryResult run() {
        int number = 0;
        for (PretendDatanode one : datanodes.values()) {
            int rack = number / plan.data().datanodesPerRack();
            register(one, number, plan.data().racksKnown() ? "/rack" + rack : "/alone" + number);
            number++;
        }
        while (registered < datanodes.size()) {
            time.pass(STEP);
        }
        new BedFiles(time, namenode, datanodes, plan.data(), writeNanos()).make();
        time.pass(QUIET.plusNanos(random.nextLong(SECOND)));
        List<PretendDatanode> victims =
                new DeadDatanodes(plan.data().datanodesPerRack(), List.copyOf(datanodes.values())).of(plan.victims());
        BedLoss loss = BedLoss.of(victims, plan.data().files(), code);
        long injectedMillis = namenode.epochMillis();
        victims.forEach(PretendDatanode::die);
        BedIncidents incidents = new BedIncidents(
                namenode, victims.stream().map(PretendDatanode::id).toList());
        long until = time.nanos() + MOST_NANOS;
        while (!incidents.healed()) {
            Invariant.check(time.nanos() < until, "the recovery never ended");
            incidents.look();
            time.pass(STEP);
        }
        incidents.readTraces();
        while (!incidents.complete()) {
            time.pass(STEP);
        }
        List<BedDatanode> left = machines.entrySet().stream()
                .filter(one -> datanodes.get(one.getKey()).alive())
                .map(Map.Entry::getValue)
                .toList();
        return incidents.result(injectedMillis, loss, new MachineUse(left, plan.hardware()), time.events());
    }

    /** For all disks together to take the chunks of a file. */
    private long writeNanos() {
        long stored = GroupLayout.storedBytes(plan.data().policy(), plan.data().fileBytes());
        return plan.hardware().disk().readNanos(stored) / datanodes.size();
    }

    private void register(PretendDatanode one, int number, String rack) {
        DatanodeReport.Register report = one.register(new Address("dn" + number, 9000), rack);
        var unused = namenode.ask(report).whenComplete((reply, failure) -> {
            if (reply instanceof DatanodeReply.Registered accepted) {
                one.registered(accepted);
                registered++;
                time.after(random.nextLong(SECOND), () -> beat(one));
                awaitOrders(one);
            } else {
                time.after(SECOND, () -> register(one, number, rack));
            }
        });
    }

    private void beat(PretendDatanode one) {
        if (one.alive()) {
            one.beat(machines.get(one.id()).queued(), Optional.empty());
            time.after(SECOND, () -> beat(one));
        }
    }

    private void awaitOrders(PretendDatanode one) {
        if (one.alive()) {
            var unused = namenode.ask(one.awaitOrders(HOLD_MILLIS)).whenComplete((reply, failure) -> {
                if (failure == null && reply instanceof DatanodeReply.HeartbeatReply) {
                    one.obey(reply);
                    awaitOrders(one);
                } else {
                    time.after(SECOND, () -> awaitOrders(one));
                }
            });
        }
    }

    private void tell(DatanodeId id, DatanodeReport report) {
        var unused = namenode.ask(report).whenComplete((reply, failure) -> {
            if (failure != null) {
                time.raise(new SimulationFailure("the namenode refuses a report of " + id, EcfsException.of(failure)));
            } else {
                datanodes.get(id).obey(reply);
            }
        });
    }

    private boolean rebuild(PretendDatanode target, DatanodeOrder.Rebuild order) {
        if (rebuilding.getOrDefault(target.id(), 0) >= plan.limits().targetAtOnce()) {
            return false;
        }
        Map<Integer, BedDatanode> sources = new TreeMap<>();
        Map<Integer, DatanodeId> names = new TreeMap<>();
        for (ChunkLocation source : order.sources()) {
            if (datanodes.get(source.datanode()).alive()) { // others refuse the connection
                sources.put(source.chunk().index(), machines.get(source.datanode()));
                names.put(source.chunk().index(), source.datanode());
            }
        }
        int lost = order.chunk().index();
        if (!(code.plan(ChunkSet.of(lost), ChunkSet.of(sources.keySet())) instanceof RepairPlan repair)) {
            time.after(BedNamenode.LATENCY_NANOS, () -> {
                target.failed(order, "too few sources answer");
                target.reportChanges();
            });
            return true;
        }
        rebuilding.merge(target.id(), 1, Integer::sum);
        GroupLayout layout = new GroupLayout(order.policy(), order.groupLength());
        List<RebuildSlices.Slice> cut = slices.computeIfAbsent(
                repair, of -> RebuildSlices.of(layout, of, lost, plan.limits().sliceBytes()));
        new ChunkRebuild(
                        time,
                        order,
                        machines.get(target.id()),
                        sources,
                        names,
                        cut,
                        plan.limits().slicesAtOnce(),
                        work -> {
                            rebuilding.merge(target.id(), -1, Integer::sum);
                            target.rebuilt(order, work);
                            target.reportChanges();
                        })
                .begin();
        return true;
    }
}
