package io.ecfs.sim.script;

import io.ecfs.error.EcfsException;
import io.ecfs.fault.profile.FaultKind;
import io.ecfs.fault.profile.VictimRule;
import io.ecfs.fault.profile.VictimRule.Chunks;
import io.ecfs.fault.victim.PlacedGroup;
import io.ecfs.fault.victim.StoredVolume;
import io.ecfs.layout.ChunkId;
import io.ecfs.message.chunk.ChunkRecord;
import io.ecfs.message.chunk.ChunkState;
import io.ecfs.namenode.group.ChunkOnVolume;
import io.ecfs.sim.cluster.ChunkOnDisk;
import io.ecfs.sim.cluster.DatanodeHost;
import io.ecfs.sim.time.SimulationFailure;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.SplittableRandom;

/** Damages one published chunk on each victim's volume: of the group that the rule names, or any. */
final class DamagedChunks {
    private final PlacementFacts facts;
    private final SplittableRandom random;

    DamagedChunks(PlacementFacts facts, SplittableRandom random) {
        this.facts = facts;
        this.random = random;
    }

    /** @throws EcfsException {@code INVALID_ARGUMENT} when a volume has no such chunk; nothing is damaged then */
    void damage(ScriptedFault fault) throws EcfsException {
        List<List<ChunkDamage>> each = new ArrayList<>();
        try {
            for (StoredVolume volume : fault.volumes()) {
                each.add(chosen(fault, volume));
            }
            for (List<ChunkDamage> chunks : each) {
                if (fault.kind() == FaultKind.SWAP) {
                    chunks.get(0).become(chunks.get(1));
                    chunks.get(1).become(chunks.get(0));
                } else {
                    chunks.get(0).apply(fault.kind(), random);
                }
                fault.damage().addAll(chunks);
            }
        } catch (EcfsException e) {
            throw e;
        } catch (IOException e) {
            throw new SimulationFailure("chunks of " + fault.victims() + " cannot be damaged", e);
        }
    }

    /** One chunk, two of a swap. */
    private List<ChunkDamage> chosen(ScriptedFault fault, StoredVolume volume) throws IOException {
        List<ChunkDamage> all = published(volume);
        VictimRule rule = fault.step().victims();
        List<PlacedGroup> groups = groups(rule);
        List<ChunkDamage> wanted =
                all.stream().filter(chunk -> wanted(rule, groups, chunk)).toList();
        if (wanted.isEmpty()) {
            throw Injector.refused(volume.name() + " stores no published chunk with bytes that 'of: " + rule.of()
                    + "' and 'chunks: " + rule.chunks().name().toLowerCase(Locale.ROOT) + "' mean");
        }
        ChunkDamage one = wanted.get(random.nextInt(wanted.size()));
        if (fault.kind() != FaultKind.SWAP) {
            return List.of(one);
        }
        List<ChunkDamage> others =
                all.stream().filter(chunk -> !chunk.chunk().equals(one.chunk())).toList();
        if (others.isEmpty()) {
            throw Injector.refused(
                    volume.name() + " stores one chunk with bytes, and two change places: write more" + " files");
        }
        return List.of(one, others.get(random.nextInt(others.size())));
    }

    private List<ChunkDamage> published(StoredVolume volume) throws IOException {
        DatanodeHost host = facts.host(volume.datanode());
        List<ChunkDamage> chunks = new ArrayList<>();
        for (ChunkOnVolume stored :
                facts.facts(view -> view.chunksOn(facts.number(volume), Optional.empty(), Integer.MAX_VALUE))) {
            Optional<ChunkRecord> record = host.find(stored.volume(), stored.chunk())
                    .filter(found -> found.state() == ChunkState.FINALISED && found.bytes() > 0);
            Optional<ChunkOnDisk> files = record.flatMap(found -> host.files(stored.volume(), stored.chunk()));
            if (files.isPresent()) {
                chunks.add(ChunkDamage.of(stored, files.get()));
            }
        }
        return chunks;
    }

    /** As victims are chosen: the kind of chunk is that of the first group that they come from. */
    private List<PlacedGroup> groups(VictimRule rule) {
        List<PlacedGroup> of = facts.placement().groups(rule.of());
        return rule.chunks() == Chunks.ANY ? of : of.subList(0, Math.min(1, of.size()));
    }

    private static boolean wanted(VictimRule rule, List<PlacedGroup> of, ChunkDamage damage) {
        ChunkId chunk = damage.chunk().chunk();
        return of.stream()
                .anyMatch(group -> group.id().equals(chunk.group())
                        && rule.chunks().includes(group.policy().code(), chunk.index()));
    }
}
