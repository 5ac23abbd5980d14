package io.ecfs.torture.fault;

import java.io.IOException;
import java.util.Locale;
import java.util.SplittableRandom;

/** SIGKILL; started again when it ends. */
record Kill(Victim victim) implements Fault {
    @Override
    public String name() {
        return "kill-" + victim.name().toLowerCase(Locale.ROOT);
    }

    @Override
    public Inflicted inflict(TortureSite site, String id, SplittableRandom random) throws IOException {
        site.kill(id);
        return () -> site.start(id);
    }
}
