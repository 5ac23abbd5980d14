package io.ecfs.bench.bed.write;

import io.ecfs.bench.bed.Device;
import io.ecfs.bench.bed.hardware.Agenda;
import io.ecfs.bench.bed.hardware.Machine;
import io.ecfs.bench.bed.hardware.Star;
import io.ecfs.bench.bed.hardware.Station;
import io.ecfs.bench.bed.hardware.Topology;
import io.ecfs.bench.bed.hardware.Torus;
import io.ecfs.error.Invariant;
import io.ecfs.plan.write.WriteStep;
import io.ecfs.plan.write.WriteSystem;
import io.ecfs.sim.time.VirtualTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;

/** Runs a plan: datanodes have the first addresses of the network, clients those behind them. */
public final class WriteBed {
    private static final double NANOS = 1e9;
    private static final Duration TURN = Duration.ofSeconds(1);

    /** Far more than any run that its plan admits: a longer one waits for what never comes. */
    private static final long MOST_NANOS = Duration.ofDays(3650).toNanos();

    private final WriteBedPlan plan;
    private final VirtualTime time = new VirtualTime();
    private final List<Machine> datanodes = new ArrayList<>();
    private final List<Machine> clients = new ArrayList<>();
    private final Topology network;
    private final StepSums steps = new StepSums();
    private final Places places;
    private int unfinished;
    private long endNanos;

    private WriteBed(WriteBedPlan plan) {
        this.plan = plan;
        WriteSystem system = plan.system();
        SplittableRandom random = new SplittableRandom(plan.seed());
        int machines = system.datanodes() + system.clients();
        long latency = plan.cost().network().latencyNanos();
        Agenda agenda = Agenda.of(time);
        this.network = plan.torus().isPresent()
                ? new Torus(agenda, latency, machines, plan.torus().get())
                : new Star(agenda, latency, machines);
        Device disk = new Device(0, (long) Math.min(Long.MAX_VALUE, Math.ceil(system.diskBytesPerSecond())));
        for (int i = 0; i < machines; i++) {
            boolean datanode = i < system.datanodes();
            (datanode ? datanodes : clients).add(new Machine(time, i, datanode ? system.coresOfDatanode() : 1, disk));
        }
        this.places = new Places(datanodes, plan.cost().shape().chunks(), plan.masters(), random.split());
        this.unfinished = clients.size();
        start(random.split());
    }

    /** Runs to the last answer. */
    public static WriteBedResult run(WriteBedPlan plan) {
        return new WriteBed(plan).run();
    }

    /** Clients begin within the time of one stripe, so that they do not go in step. */
    private void start(SplittableRandom random) {
        StripeWrite.Scene scene = new StripeWrite.Scene(
                time,
                network,
                places,
                StripeTimes.of(plan.cost()),
                steps,
                plan.cost().shape(),
                plan.cost().constants().forwarding());
        Station namenode = new Station(time, 1);
        double stripeNanos = plan.cost().nanos() / plan.cost().shape().stripes();
        for (Machine client : clients) {
            BedWriter writer = new BedWriter(plan, scene, client, namenode, this::finish);
            time.after(clients.size() == 1 ? 0 : (long) (random.nextDouble() * stripeNanos), writer::fill);
        }
    }

    private void finish() {
        unfinished--;
        endNanos = time.nanos();
    }

    private WriteBedResult run() {
        while (unfinished > 0) {
            time.pass(TURN);
            Invariant.check(time.nanos() < MOST_NANOS, "a writer of the bed never finished");
        }
        double seconds = endNanos / NANOS;
        Map<WriteStep, Double> stepSeconds = new EnumMap<>(WriteStep.class);
        for (WriteStep step : WriteStep.values()) {
            stepSeconds.put(step, steps.nanos(step) / NANOS);
        }
        return new WriteBedResult(
                plan.stripesPerClient() * plan.stripeBytes() * clients.size(),
                seconds,
                stepSeconds,
                places.busiestOfMean(),
                busiest(clients) / seconds,
                busiest(datanodes) / seconds);
    }

    /** Seconds of work of a core of the busiest machine, the mean of its cores. */
    private static double busiest(List<Machine> machines) {
        return machines.stream()
                .mapToDouble(machine ->
                        machine.cpu().busyNanos() / NANOS / machine.cpu().servers())
                .max()
                .orElse(0);
    }
}
