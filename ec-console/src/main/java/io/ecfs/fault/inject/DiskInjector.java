package io.ecfs.fault.inject;

import io.ecfs.datanode.store.disk.FaultFile;
import io.ecfs.fault.profile.FaultStep;
import io.ecfs.fault.victim.StoredVolume;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Faults of volumes: by the disk below where it has the means, otherwise by the datanode's fault file. */
final class DiskInjector implements Injector {
    private final LabSite site;

    DiskInjector(LabSite site) {
        this.site = site;
    }

    @Override
    public Undo inject(FaultStep step, Hurt hurt) throws IOException, InterruptedException {
        List<Undo> undos = new ArrayList<>();
        if (step.fault().restartsDatanodes()) {
            hurt.daemons().forEach(datanode -> undos.add(() -> restart(datanode)));
        }
        UndoAll all = new UndoAll(undos); // the last first: disks, then datanodes
        try {
            for (StoredVolume volume : hurt.volumes()) {
                undos.add(inject(step, volume));
            }
        } catch (IOException | RuntimeException e) {
            all.after(e);
            throw e;
        }
        return all;
    }

    /** A volume that failed stays out of service until its datanode starts again, as an operator would have it. */
    private void restart(String datanode) throws IOException {
        if (site.process(datanode).isPresent()) { // otherwise another fault has ended it, whose undo starts it
            site.stop(datanode);
            site.start(datanode);
        }
    }

    private Undo inject(FaultStep step, StoredVolume volume) throws IOException {
        Path directory = site.directory(volume);
        LabDisks disks = site.disks();
        return switch (step.fault()) {
            case REMOVE_DEVICE ->
                disks.remove(directory).orElseThrow(() -> new IllegalStateException("no means to remove " + directory));
            case READ_ONLY -> disks.makeReadOnly(directory);
            case HANG_DEVICE -> otherwise(disks.hang(directory), FaultFile.Kind.HANG, step, volume);
            case SLOW_DEVICE -> otherwise(disks.slow(directory, step.delay()), FaultFile.Kind.SLOW, step, volume);
            case FILL_DISK -> otherwise(disks.fill(directory), FaultFile.Kind.FULL, step, volume);
            case READ_ERRORS -> otherwise(Optional.empty(), FaultFile.Kind.READ_ERRORS, step, volume);
            default -> throw new IllegalArgumentException(step.fault() + " is no fault of a disk");
        };
    }

    private Undo otherwise(Optional<Undo> done, FaultFile.Kind kind, FaultStep step, StoredVolume volume)
            throws IOException {
        if (done.isPresent()) {
            return done.get();
        }
        FaultFile.Fault fault = new FaultFile.Fault(kind, step.delay().toMillis(), site.directory(volume));
        Path home = site.home(volume.datanode());
        List<FaultFile.Fault> all = new ArrayList<>(FaultFile.read(home.resolve(FaultFile.NAME)));
        all.add(fault);
        FaultFile.write(home, all);
        return () -> {
            List<FaultFile.Fault> left = new ArrayList<>(FaultFile.read(home.resolve(FaultFile.NAME)));
            left.remove(fault);
            FaultFile.write(home, left);
        };
    }
}
