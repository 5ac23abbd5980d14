package io.ecfs.torture.fault.process;

import io.ecfs.torture.fault.Fault;
import io.ecfs.torture.fault.Shape;
import io.ecfs.torture.fault.TortureSite;
import java.io.IOException;
import java.util.Locale;
import java.util.Set;
import java.util.SplittableRandom;

/** SIGSTOP, beyond the leases of writers and namenodes; SIGCONT when it ends. */
public record Freeze(Victim victim) implements Fault {
    @Override
    public String name() {
        return "stop-" + victim.name().toLowerCase(Locale.ROOT);
    }

    @Override
    public Set<Shape> shapes() {
        return Set.of(Shape.PROCESSES);
    }

    @Override
    public Inflicted inflict(TortureSite site, String id, SplittableRandom random)
            throws IOException, InterruptedException {
        site.freeze(id);
        return () -> site.thaw(id);
    }
}
