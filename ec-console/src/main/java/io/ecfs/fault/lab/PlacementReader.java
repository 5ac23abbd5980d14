package io.ecfs.fault.lab;

import io.ecfs.client.EcfsClient;
import io.ecfs.error.EcfsException;
import io.ecfs.error.ErrorCode;
import io.ecfs.fault.victim.PlacedGroup;
import io.ecfs.fault.victim.Placement;
import io.ecfs.fault.victim.StoredVolume;
import io.ecfs.layout.GroupId;
import io.ecfs.layout.GroupLayout;
import io.ecfs.message.FilePath;
import io.ecfs.message.VolumeId;
import io.ecfs.message.chunk.ChunkLocation;
import io.ecfs.message.namespace.LocatedGroup;
import io.ecfs.message.namespace.NamespaceReply;
import io.ecfs.wire.Await;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;

/**
 * Reads where the chunks of the load lie. The cluster numbers its volumes in an order of its own: which directory a
 * number is, the file of one of its chunks tells.
 */
final class PlacementReader {
    private final List<StoredVolume> volumes;
    private final Function<StoredVolume, Path> directories;
    private final Map<VolumeId, StoredVolume> known = new HashMap<>();

    private PlacementReader(List<StoredVolume> volumes, Function<StoredVolume, Path> directories) {
        this.volumes = volumes;
        this.directories = directories;
    }

    static Placement read(
            EcfsClient client,
            List<FilePath> files,
            List<StoredVolume> volumes,
            Function<StoredVolume, Path> directories)
            throws IOException {
        PlacementReader reader = new PlacementReader(volumes, directories);
        Map<GroupId, PlacedGroup> groups = new LinkedHashMap<>();
        for (FilePath file : files) {
            for (LocatedGroup group : located(client, file)) {
                if (!groups.containsKey(group.group())) {
                    groups.put(group.group(), reader.placed(file, group));
                }
            }
        }
        return new Placement(volumes, List.copyOf(groups.values()));
    }

    /** Groups of all pages of a file. */
    private static List<LocatedGroup> located(EcfsClient client, FilePath file) throws IOException {
        long length = Await.result(client.status(file)).length();
        List<LocatedGroup> groups = new ArrayList<>();
        for (long at = 0; at < length; ) {
            NamespaceReply.Located page = Await.result(client.locate(file, at, length - at));
            groups.addAll(page.groups());
            at = page.extents().get(page.extents().size() - 1).fileEnd();
        }
        return groups;
    }

    private PlacedGroup placed(FilePath file, LocatedGroup group) throws IOException {
        SortedMap<Integer, StoredVolume> chunks = new TreeMap<>();
        for (ChunkLocation chunk : group.chunks()) {
            if (chunk.state() != ChunkLocation.State.MISSING) {
                chunks.put(chunk.chunk().index(), volume(chunk));
            }
        }
        long bytes = group.open() ? 0 : new GroupLayout(group.policy(), group.length()).chunkBytes(0);
        return new PlacedGroup(group.group(), file.text(), group.policy(), bytes, chunks);
    }

    private StoredVolume volume(ChunkLocation chunk) throws IOException {
        StoredVolume there = known.get(chunk.volume());
        if (there == null) {
            there = find(chunk);
            known.put(chunk.volume(), there);
        }
        return there;
    }

    private StoredVolume find(ChunkLocation chunk) throws IOException {
        List<StoredVolume> its = volumes.stream()
                .filter(volume -> volume.datanode().equals(chunk.datanode().name()))
                .filter(volume -> !known.containsValue(volume))
                .toList();
        for (StoredVolume volume : its) {
            if (LabChunks.exists(directories.apply(volume), chunk.chunk())) {
                return volume;
            }
        }
        // Its directory is hurt and cannot be read: the others can.
        return its.stream()
                .filter(volume -> Files.notExists(directories.apply(volume)))
                .findFirst()
                .or(() -> its.stream().findFirst())
                .orElseThrow(() -> new EcfsException(
                        ErrorCode.INTERNAL,
                        "no directory is that of volume " + chunk.volume() + " of " + chunk.datanode()));
    }
}
