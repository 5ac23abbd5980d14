package io.ecfs.torture.fault.disk;

import io.ecfs.env.real.DirectoryTree;
import io.ecfs.torture.fault.Fault;
import io.ecfs.torture.fault.TortureSite;
import java.io.IOException;
import java.util.SplittableRandom;

/**
 * A namenode loses its disk: killed, its directory emptied, started again, so that it has to get everything from the
 * others.
 */
public record WipeNamenode() implements Fault {
    @Override
    public String name() {
        return "wipe-namenode";
    }

    @Override
    public Victim victim() {
        return Victim.NAMENODE;
    }

    @Override
    public Inflicted inflict(TortureSite site, String id, SplittableRandom random) throws IOException {
        site.kill(id);
        DirectoryTree.delete(site.directory(id));
        return () -> site.start(id);
    }
}
