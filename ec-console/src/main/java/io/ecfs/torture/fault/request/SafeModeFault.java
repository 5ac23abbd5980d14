package io.ecfs.torture.fault.request;

import io.ecfs.torture.fault.Fault;
import io.ecfs.torture.fault.TortureSite;
import io.ecfs.wire.Await;
import java.io.IOException;
import java.util.SplittableRandom;

/** An operator orders safe mode, and ends it. */
public record SafeModeFault() implements Fault {
    @Override
    public String name() {
        return "safe-mode";
    }

    @Override
    public Victim victim() {
        return Victim.NO_MACHINE;
    }

    @Override
    public Inflicted inflict(TortureSite site, String id, SplittableRandom random) throws IOException {
        Await.result(site.client().setSafeMode(true));
        return () -> Await.result(site.client().setSafeMode(false));
    }
}
