package io.ecfs.console.torture.fault;

import io.ecfs.datanode.store.UnreadableFileException;
import io.ecfs.datanode.store.memory.DiskFaults;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;

/** The medium below one published chunk fails: it cannot be read (EIO), all else can. */
record BadFile() implements Fault {
    @Override
    public String name() {
        return "bad-sector";
    }

    @Override
    public Set<Shape> shapes() {
        return Set.of(Shape.ONE);
    }

    @Override
    public Victim victim() {
        return Victim.ROTTEN;
    }

    @Override
    public Inflicted inflict(Site site, String id, SplittableRandom random) {
        List<String> chunks = site.machines().files(id).stream()
                .filter(file -> file.startsWith("finalised/") && file.endsWith(".data"))
                .toList();
        if (chunks.isEmpty()) {
            return () -> {};
        }
        String bad = chunks.get(random.nextInt(chunks.size()));
        Machines.Undo undo = site.machines().faults(id, (operation, path, number) -> {
            if (operation == DiskFaults.Operation.READ && path.equals(bad)) {
                throw new UnreadableFileException(bad, bad + ": Input/output error");
            }
        });
        return undo::run;
    }
}
