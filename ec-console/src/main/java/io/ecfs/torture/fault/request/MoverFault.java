package io.ecfs.torture.fault.request;

import io.ecfs.torture.fault.Fault;
import io.ecfs.torture.fault.TortureSite;
import io.ecfs.wire.Await;
import java.io.IOException;
import java.util.SplittableRandom;

/** An operator pauses the chunk mover, and lets it go on. */
public record MoverFault() implements Fault {
    @Override
    public String name() {
        return "pause-mover";
    }

    @Override
    public Victim victim() {
        return Victim.NO_MACHINE;
    }

    @Override
    public Inflicted inflict(TortureSite site, String id, SplittableRandom random) throws IOException {
        Await.result(site.client().admin().pauseMover(true));
        return () -> Await.result(site.client().admin().pauseMover(false));
    }
}
