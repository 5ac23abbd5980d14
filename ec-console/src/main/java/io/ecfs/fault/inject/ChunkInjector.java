package io.ecfs.fault.inject;

import io.ecfs.error.EcfsException;
import io.ecfs.error.ErrorCode;
import io.ecfs.fault.profile.FaultKind;
import io.ecfs.fault.profile.FaultStep;
import io.ecfs.fault.profile.VictimSource;
import io.ecfs.fault.victim.PlacedGroup;
import io.ecfs.fault.victim.Placement;
import io.ecfs.fault.victim.StoredVolume;
import io.ecfs.layout.GroupId;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;

/** Damage to one chunk on each of the victims' volumes; the cluster has to find it. There is nothing to undo. */
final class ChunkInjector implements Injector {
    private final LabSite site;
    private final SplittableRandom random;

    ChunkInjector(LabSite site, SplittableRandom random) {
        this.site = site;
        this.random = random;
    }

    @Override
    public Undo inject(FaultStep step, Hurt hurt) throws IOException, InterruptedException {
        Placement placement = site.placement();
        // Of two forged chunks of a group nobody can tell which they are: each group has one at most.
        Set<GroupId> forged = new HashSet<>();
        for (StoredVolume volume : hurt.volumes()) {
            Map<GroupId, Path> found = chunks(step.victims().of(), placement, volume);
            found.keySet().removeAll(forged);
            List<Path> chunks = List.copyOf(found.values());
            int wanted = step.fault() == FaultKind.SWAP ? 2 : 1;
            if (chunks.size() < wanted) {
                throw new EcfsException(
                        ErrorCode.INVALID_ARGUMENT,
                        volume.name() + " stores " + chunks.size() + " chunks to "
                                + step.fault().word() + ", " + wanted
                                + " are needed: choose 'of: fullest', or more files");
            }
            damage(step.fault(), chunks);
            if (step.fault() == FaultKind.FORGE) {
                forged.add(found.keySet().iterator().next());
            }
        }
        return Undo.NOTHING;
    }

    private void damage(FaultKind fault, List<Path> chunks) throws IOException {
        Path one = chunks.get(0);
        switch (fault) {
            case FLIP_DATA -> ChunkRot.flipData(one, random);
            case FLIP_CHECKSUM -> ChunkRot.flipChecksum(one, random);
            case CUT -> ChunkRot.cut(one);
            case DELETE -> ChunkRot.delete(one);
            case SWAP -> ChunkRot.swap(one, chunks.get(1));
            case FORGE -> ChunkRot.forge(one, random);
            default -> throw new IllegalArgumentException(fault + " is no damage to a chunk");
        }
    }

    /** Files of groups' chunks on a volume, of the named group or file first, of others in an order of chance. */
    private Map<GroupId, Path> chunks(VictimSource of, Placement placement, StoredVolume volume) throws IOException {
        boolean some = of.kind() == VictimSource.Kind.GROUP || of.kind() == VictimSource.Kind.FILE;
        List<PlacedGroup> named = some ? new ArrayList<>(placement.groups(of)) : new ArrayList<>();
        List<PlacedGroup> others = new ArrayList<>(placement.groups());
        others.removeAll(named);
        while (!others.isEmpty()) {
            named.add(others.remove(random.nextInt(others.size())));
        }
        Map<GroupId, Path> files = new LinkedHashMap<>();
        for (PlacedGroup group : named) {
            for (int index : group.on(List.of(volume))) {
                Optional<Path> file = site.chunkFile(group, index, volume);
                file.ifPresent(path -> files.putIfAbsent(group.id(), path));
            }
        }
        return files;
    }
}
