package io.ecfs.bench.bed.write;

import io.ecfs.bench.bed.hardware.Machine;
import io.ecfs.bench.bed.hardware.Station;
import io.ecfs.client.write.route.MasterLoads;
import io.ecfs.message.DatanodeId;
import io.ecfs.plan.write.WriteShape;
import io.ecfs.plan.write.WriteStep;
import java.util.concurrent.TimeUnit;

/**
 * A client that writes one file after the other on one thread, with a window of stripes under way, the one that is
 * being filled counted: with a window of 1 each stripe waits for the answer to the one before, as in the paper.
 */
final class BedWriter {
    private final WriteBedPlan plan;
    private final StripeWrite.Scene scene;
    private final Machine client;
    private final Station namenode;
    private final Runnable finished;
    private final MasterLoads loads;
    private Places.Group group;
    private long filled; // stripes
    private long answered;
    private boolean threadBusy;

    /** @param finished runs when all stripes are answered and the last file is closed */
    BedWriter(WriteBedPlan plan, StripeWrite.Scene scene, Machine client, Station namenode, Runnable finished) {
        this.plan = plan;
        this.scene = scene;
        this.client = client;
        this.namenode = namenode;
        this.finished = finished;
        this.loads = new MasterLoads(scene.time());
    }

    /** Goes on while the window and the thread allow it. */
    void fill() {
        if (threadBusy
                || filled == plan.stripesPerClient()
                || filled - answered == plan.system().window()) {
            return;
        }
        long inFile = filled % plan.stripesPerFile();
        if (inFile == 0 && filled > answered) {
            return; // the file before closes first
        }
        threadBusy = true;
        long begun = scene.time().nanos();
        boolean newGroup = inFile % plan.stripesPerGroup() == 0;
        WriteShape shape = plan.cost().shape();
        int calls = (inFile == 0 && shape.fileBytes() != WriteShape.ENDLESS ? 1 : 0)
                + (newGroup && shape.groupBytes() != WriteShape.ENDLESS ? 1 : 0);
        call(calls, () -> {
            if (group == null || (newGroup && !scene.places().fixed())) {
                group = scene.places().next(loads);
            }
            filled++;
            client.cpu().use(scene.times().copying(), () -> {
                scene.steps().add(WriteStep.CO, scene.time().nanos() - begun);
                DatanodeId master = scene.places().master(group);
                new StripeWrite(scene, client, group, managing -> answer(master, managing)).begin(() -> {
                    threadBusy = false;
                    fill();
                });
            });
        });
    }

    private void answer(DatanodeId master, long managingNanos) {
        for (int parity = 0; parity < plan.cost().shape().parityChunks(); parity++) { // each cell's answer tells it
            loads.took(master, (int) TimeUnit.NANOSECONDS.toMicros(managingNanos), plan.stripeBytes());
        }
        answered++;
        boolean endOfFile = answered % plan.stripesPerFile() == 0;
        long begun = scene.time().nanos();
        call(endOfFile ? 1 : 0, () -> {
            scene.steps().add(WriteStep.CO, scene.time().nanos() - begun);
            if (answered == plan.stripesPerClient()) {
                finished.run();
            } else {
                fill();
            }
        });
    }

    /** Calls one after the other. */
    private void call(int count, Runnable done) {
        if (count == 0) {
            done.run();
            return;
        }
        long latency = plan.cost().network().latencyNanos();
        long back = latency + scene.times().callWait();
        Runnable next = () -> call(count - 1, done);
        scene.time()
                .after(
                        latency,
                        () -> namenode.use(
                                scene.times().call(), () -> scene.time().after(back, next)));
    }
}
