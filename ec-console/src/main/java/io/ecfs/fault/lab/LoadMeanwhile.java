package io.ecfs.fault.lab;

import io.ecfs.bench.load.Crew;
import io.ecfs.fault.profile.LabLoad;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;

/** Clients that use the files of an experiment while its faults last. */
final class LoadMeanwhile {
    private final AtomicBoolean goOn = new AtomicBoolean(true);
    private final ExecutorService starter = Executors.newSingleThreadExecutor();
    private final Future<?> running;

    private LoadMeanwhile(LabFiles files, Crew crew, LabLoad load) {
        running = starter.submit(() -> {
            if (load.during() != LabLoad.During.NONE) {
                files.use(crew, goOn::get);
            }
            return null;
        });
    }

    static LoadMeanwhile begin(LabFiles files, Crew crew, LabLoad load) {
        return new LoadMeanwhile(files, crew, load);
    }

    /** Lets the clients finish what they are doing, and returns when they have; their failures are counted. */
    void end() throws Exception {
        goOn.set(false);
        starter.shutdown();
        running.get();
    }
}
