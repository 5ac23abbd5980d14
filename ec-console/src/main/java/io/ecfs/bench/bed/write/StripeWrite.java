package io.ecfs.bench.bed.write;

import io.ecfs.bench.bed.hardware.Machine;
import io.ecfs.bench.bed.hardware.Topology;
import io.ecfs.plan.write.WriteSide;
import io.ecfs.plan.write.WriteStep;
import io.ecfs.sim.time.VirtualTime;

/**
 * One stripe on its way, and the five steps of it.
 *
 * <pre>
 *   client side  client: encode, send n cells --> each slave: serve, store --answer--> client
 *   master side  client: send data --> master: manage, encode, serve its own cell,
 *                                              send n - 1 cells --> slaves --answer--> master --> client
 * </pre>
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
            long cellBytes) {}

    private final Scene scene;
    private final Machine client;
    private final Places.Group group;
    private final Runnable answered;
    private long begun; // of the step that is under way
    private int waitingFor;
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
                    distribute(client, group.datanodes().size(), () -> answered.run());
                });
            });
            return;
        }
        Machine master = scene.places().datanode(group.master());
        begun = now();
        scene.places().encodes(group.master());
        thread.run();
        scene.time()
                .after(
                        times.transferWait(),
                        () -> scene.network()
                                .send(client.address(), master.address(), times.transferWire(), () -> manage(master)));
    }

    private void manage(Machine master) {
        StripeTimes times = scene.times();
        step(WriteStep.CO);
        master.cpu().use(times.managing(), () -> {
            step(WriteStep.MP);
            master.cpu().use(times.encoding(), () -> {
                step(WriteStep.PC);
                master.cpu()
                        .use(
                                times.sending(),
                                () -> distribute(master, group.datanodes().size(), () -> {
                                    begun = now();
                                    scene.time().after(way(master, client), () -> {
                                        step(WriteStep.CO);
                                        answered.run();
                                    });
                                }));
            });
        });
    }

    private void distribute(Machine source, int cells, Runnable done) {
        waitingFor = cells;
        for (Machine slave : group.datanodes()) {
            if (slave == source) {
                serve(slave, 0, done);
            } else {
                long back = way(slave, source);
                scene.network()
                        .send(
                                source.address(),
                                slave.address(),
                                scene.times().cellWire(),
                                () -> serve(slave, back, done));
            }
        }
    }

    private void serve(Machine slave, long wayBack, Runnable done) {
        long arrived = now();
        slave.cpu()
                .use(
                        scene.times().serving(),
                        () -> slave.store(scene.cellBytes(), () -> {
                            long serving = now() - arrived;
                            scene.time().after(wayBack, () -> answer(serving, done));
                        }));
    }

    private void answer(long serving, Runnable done) {
        lastServing = serving;
        if (--waitingFor == 0) {
            scene.time().after(scene.times().distributionWait(), () -> {
                scene.steps().add(WriteStep.SP, lastServing);
                scene.steps().add(WriteStep.DD, -lastServing);
                step(WriteStep.DD);
                done.run();
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
