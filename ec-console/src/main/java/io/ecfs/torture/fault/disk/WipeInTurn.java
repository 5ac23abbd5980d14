package io.ecfs.torture.fault.disk;

import io.ecfs.env.real.DirectoryTree;
import io.ecfs.torture.fault.Fault;
import io.ecfs.torture.fault.TortureSite;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/** Two namenodes lose their disks, the second when the first has got everything from the others. */
public record WipeInTurn() implements Fault {
    @Override
    public String name() {
        return "wipe-two-namenodes";
    }

    @Override
    public Victim victim() {
        return Victim.ALL;
    }

    @Override
    public Inflicted inflict(TortureSite site, String all, SplittableRandom random)
            throws IOException, InterruptedException {
        List<String> namenodes = new ArrayList<>(site.namenodes());
        String first = namenodes.remove(random.nextInt(namenodes.size()));
        String second = namenodes.remove(random.nextInt(namenodes.size()));
        wipe(site, first);
        site.start(first);
        site.awaitWhole();
        wipe(site, second);
        return () -> site.start(second);
    }

    private static void wipe(TortureSite site, String namenode) throws IOException {
        site.kill(namenode);
        DirectoryTree.delete(site.directory(namenode));
    }
}
