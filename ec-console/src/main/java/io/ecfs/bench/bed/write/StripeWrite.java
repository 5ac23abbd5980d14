package io.ecfs.bench.bed.write;

import io.ecfs.bench.bed.hardware.Machine;
import io.ecfs.bench.bed.hardware.Topology;
import io.ecfs.layout.WriteSide;
import io.ecfs.plan.write.Forwarding;
import io.ecfs.plan.write.WriteShape;
import io.ecfs.plan.write.WriteStep;
import io.ecfs.sim.time.VirtualTime;
import java.util.function.LongConsumer;

/**
 * One stripe on its way, and the five steps of it.
 *
 * <pre>
 *   client side           client: encode, send n cells --> each slave: serve, store --answer--> client
 *   master, by stripe     client: send data --> master: manage, encode, serve its own cell,
 *                                               send n - 1 cells --> slaves --answer--> master --> client
 *   master, by cell       client: send data --> master: serve its own cell, send the others, each as it comes;
 *                                               after the last: manage, encode, send parity --> slaves as above
 * </pre>
 *
 * Distribution by cell counts from the last data cell's arrival, less the master's other work, as datanodes count it.
 */
final class StripeWrite {
    /** What all stripes of a run share. */
    record Scene(
            VirtualTime time,
            Topology network,
            Places places,
            StripeTimes times,
            StepSums steps,
            WriteShape shape,
            Forwarding forwarding) {}

    private final Scene scene;
    private final Machine client;
    private final Places.Group group;
    private final LongConsumer answered;
    private long begun; // of the step that is under way
    private int waitingFor;
    private int collected; // data cells at the master
    private long managing; // nanoseconds at the master
    private long lastServing;

    /** @param answered runs at the client, with the nanoseconds of managing at the master, 0 without one */
    StripeWrite(Scene scene, Machine client, Places.Group group, LongConsumer answered) {
        this.scene = scene;
        this.client = client;
        this.group = group;
        this.answered = answered;
        this.waitingFor = scene.shape().chunks();
    }

    /**
     * The cells are filled.
     *
     * @param thread runs when the client's thread is free again
     */
    void begin(Runnable thread) {
        StripeTimes times = scene.times();
        begun = now();
        if (scene.shape().side() == WriteSide.CLIENT) {
            client.cpu().use(times.encoding(), () -> {
                step(WriteStep.PC);
                sendTogether(client, thread, () -> answered.accept(0));
            });
            return;
        }
        scene.places().encodes(group.master());
        thread.run();
        scene.time().after(times.transferWait(), this::transfer);
    }

    private void transfer() {
        Machine master = scene.places().datanode(group.master());
        CellSender sender = new CellSender(scene.network(), scene.times(), master);
        for (int i = 0; i < scene.shape().dataChunks(); i++) {
            int index = i;
            scene.network()
                    .send(
                            client.address(),
                            master.address(),
                            scene.times().transferWire(),
                            () -> collect(master, index, sender));
        }
    }

    private void collect(Machine master, int index, CellSender sender) {
        boolean byCell = scene.forwarding() == Forwarding.BY_CELL;
        if (byCell) {
            forward(master, index, sender);
        }
        if (++collected < scene.shape().dataChunks()) {
            return;
        }
        step(WriteStep.CO);
        master.cpu().use(scene.times().managing(), () -> {
            managing = now() - begun;
            step(WriteStep.MP);
            master.cpu().use(scene.times().encoding(), () -> {
                step(WriteStep.PC);
                if (byCell) {
                    for (int parity = collected; parity < scene.shape().chunks(); parity++) {
                        forward(master, parity, sender);
                    }
                } else {
                    sendTogether(master, () -> {}, () -> answerClient(master));
                }
            });
        });
    }

    private void forward(Machine master, int index, CellSender sender) {
        Machine slave = group.datanodes().get(index);
        Runnable done = () -> answerClient(master);
        if (slave == master) {
            serve(slave, 0, done);
        } else {
            long back = way(slave, master);
            sender.send(slave, () -> serve(slave, back, done));
        }
    }

    private void answerClient(Machine master) {
        begun = now();
        scene.time().after(way(master, client), () -> {
            step(WriteStep.CO);
            answered.accept(managing);
        });
    }

    /**
     * Sends all cells at once, when the processor has done its part for all of them.
     *
     * @param sent runs when the source's thread is free again
     */
    private void sendTogether(Machine source, Runnable sent, Runnable done) {
        source.cpu().use(scene.times().sending() * scene.shape().fanOut(), () -> {
            sent.run();
            for (Machine slave : group.datanodes()) {
                if (slave == source) {
                    serve(slave, 0, done);
                    continue;
                }
                long back = way(slave, source);
                scene.network()
                        .send(
                                source.address(),
                                slave.address(),
                                scene.times().cellWire(),
                                () -> serve(slave, back, done));
            }
        });
    }

    private void serve(Machine slave, long wayBack, Runnable done) {
        long arrived = now();
        slave.cpu()
                .use(
                        scene.times().serving(),
                        () -> slave.store(scene.shape().cellBytes(), () -> {
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
