package io.ecfs.torture.fault;

import io.ecfs.client.base.Await;
import java.io.IOException;
import java.util.SplittableRandom;

/** An operator orders safe mode, and ends it. */
record SafeModeFault() implements Fault {
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
