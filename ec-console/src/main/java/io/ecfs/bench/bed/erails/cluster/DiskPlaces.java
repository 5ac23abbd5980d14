package io.ecfs.bench.bed.erails.cluster;

import io.ecfs.bench.system.OwnCluster;
import io.ecfs.console.local.ClusterPlan;
import io.ecfs.env.real.DirectoryTree;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** Volumes of a cluster in new directories below those of a bed, past the page cache, with journals beside them. */
final class DiskPlaces implements OwnCluster.Preparation {
    private final DiskDirectories directories;
    private final JournalPlace journals;
    private final List<Path> made = new CopyOnWriteArrayList<>();

    /** @param directories one for each datanode */
    DiskPlaces(DiskDirectories directories, JournalPlace journals) {
        this.directories = directories;
        this.journals = journals;
    }

    @Override
    public List<String> before(Path directory, ClusterPlan plan) throws IOException {
        List<String> settings = new ArrayList<>(journals.before(directory, plan));
        settings.add("datanode.store.direct=true");
        for (int i = 0; i < plan.datanodes().size(); i++) {
            Path volume = Files.createTempDirectory(directories.volumes().get(i), "ecfs-bench-");
            made.add(volume);
            settings.add(plan.datanodes().get(i).id() + ".volumes=" + volume);
        }
        return settings;
    }

    @Override
    public void stopping() {
        journals.stopping();
    }

    @Override
    public void stopped() {
        List<Path> left = new ArrayList<>();
        for (Path volume : made) {
            try {
                DirectoryTree.delete(volume);
            } catch (IOException e) {
                left.add(volume);
            }
        }
        journals.stopped();
        if (!left.isEmpty()) {
            throw new UncheckedIOException(new IOException("cannot remove " + left + "; remove them by hand"));
        }
    }
}
