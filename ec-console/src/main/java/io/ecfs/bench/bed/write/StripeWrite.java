package io.ecfs.bench.bed.write;

import io.ecfs.bench.bed.hardware.Machine;
import io.ecfs.bench.bed.hardware.Topology;
import io.ecfs.plan.write.WriteSide;
import io.ecfs.plan.write.WriteStep;
import io.ecfs.sim.time.VirtualTime;
import java.util.ArrayList;
import java.util.List;

/**
 * One stripe on its way, and the five steps of it.
 *
 * <pre>
 *   client side  client: encode, send n cells --> each slave: serve, store --answer--> client
 *   master side  client: send k cells --> master: serve the first, send each other one on as it comes,
 *                                                 manage, encode, send parity --> slaves --answer--> master --> client
 * </pre>
 *
 * The master of the paper has all data before it sends: its constants are not
 * {@linkplain StripeTimes#forwarded forwarded}.
 */
final class StripeWrite {
    /** What all stripes of a run share. */
    record Scene(
            VirtualTime time,
            Topology network,
            Places places,
            StripeTimes times,
            StepSums steps,
            WriteSide side,
            int dataChunks,
            long cellBytes) {}

    private final Scene scene;
    private final Machine client;
    private final Places.Group group;
    private final Runnable answered;
    private long begun; // of the step that is under way
    private int waitingFor;
    private int collecting; // data cells that the master still lacks
    private long lastServing;

    /** @param answered runs at the client */
    StripeWrite(Scene scene, Machine client, Places.Group group, Runnable answered) {
        this.scene = scene;
        this.client = client;
        this.group = group;
        this.answered = answered;
    }

    /**
     * The cells are filled.
     *
     * @param thread runs when the client's thread is free again
     */
    void begin(Runnable thread) {
        StripeTimes times = scene.times();
        if (scene.side() == WriteSide.CLIENT) {
            begun = now();
            client.cpu().use(times.encoding(), () -> {
                step(WriteStep.PC);
                client.cpu().use(times.sending(), () -> {
                    thread.run();
                    others().forEach(slave -> send(client, slave));
                });
            });
            return;
        }
        Machine master = scene.places().datanode(group.master());
        begun = now();
        scene.places().encodes(group.master());
        thread.run();
        scene.time().after(times.transferWait(), () -> {
            if (times.forwarded()) {
                forward(master);
            } else {
                scene.network()
                        .send(client.address(), master.address(), times.transferWire(), () -> manage(master, others()));
            }
        });
    }

    /** Cell by cell: the master sends each on as it comes, and the parity when it has all. */
    private void forward(Machine master) {
        StripeTimes times = scene.times();
        int data = scene.dataChunks();
        int others = group.datanodes().size() - 1;
        List<Machine> late = new ArrayList<>(group.datanodes());
        List<Machine> early = new ArrayList<>(List.of(master));
        late.remove(master);
        while (early.size() < data) {
            early.add(late.remove(0));
        }
        waitingFor = group.datanodes().size();
        collecting = data;
        for (Machine slave : early) {
            scene.network().send(client.address(), master.address(), times.transferWire() / data, () -> {
                master.cpu().use(slave == master ? 0 : times.sending() / others, () -> send(master, slave));
                if (--collecting == 0) {
                    manage(master, late);
                }
            });
        }
    }

    private List<Machine> others() {
        waitingFor = group.datanodes().size();
        return group.datanodes();
    }

    /** @param slaves that get a cell when the stripe is encoded */
    private void manage(Machine master, List<Machine> slaves) {
        StripeTimes times = scene.times();
        step(WriteStep.CO);
        int others = group.datanodes().size() - 1;
        long cells = slaves.stream().filter(slave -> slave != master).count();
        master.cpu().use(times.managing(), () -> {
            step(WriteStep.MP);
            master.cpu().use(times.encoding(), () -> {
                step(WriteStep.PC);
                master.cpu().use(times.sending() * cells / others, () -> slaves.forEach(slave -> send(master, slave)));
            });
        });
    }

    /** Sends a cell; one of the sender's own chunk does not leave it. */
    private void send(Machine source, Machine slave) {
        if (slave == source) {
            serve(slave, 0);
        } else {
            long back = way(slave, source);
            scene.network()
                    .send(source.address(), slave.address(), scene.times().cellWire(), () -> serve(slave, back));
        }
    }

    private void distributed() {
        if (scene.side() == WriteSide.CLIENT) {
            answered.run();
            return;
        }
        begun = now();
        scene.time().after(way(scene.places().datanode(group.master()), client), () -> {
            step(WriteStep.CO);
            answered.run();
        });
    }

    private void serve(Machine slave, long wayBack) {
        long arrived = now();
        slave.cpu()
                .use(
                        scene.times().serving(),
                        () -> slave.store(scene.cellBytes(), () -> {
                            long serving = now() - arrived;
                            scene.time().after(wayBack, () -> answer(serving));
                        }));
    }

    private void answer(long serving) {
        lastServing = serving;
        if (--waitingFor == 0) {
            scene.time().after(scene.times().distributionWait(), () -> {
                scene.steps().add(WriteStep.SP, lastServing);
                scene.steps().add(WriteStep.DD, -lastServing);
                step(WriteStep.DD);
                distributed();
            });
        }
    }

    /** Of an answer. */
    private long way(Machine from, Machine to) {
        return scene.network().latencyNanos(from.address(), to.address());
    }

    private void step(WriteStep step) {
        scene.steps().add(step, now() - begun);
        begun = now();
    }

    private long now() {
        return scene.time().nanos();
    }
}
