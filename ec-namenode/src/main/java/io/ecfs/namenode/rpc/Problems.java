package io.ecfs.namenode.rpc;

import io.ecfs.code.ChunkSet;
import io.ecfs.error.EcfsException;
import io.ecfs.layout.GroupId;
import io.ecfs.layout.InodeId;
import io.ecfs.message.FilePath;
import io.ecfs.message.VolumeId;
import io.ecfs.message.namespace.FileStatus;
import io.ecfs.message.namespace.NamespaceReply;
import io.ecfs.message.namespace.NamespaceRequest;
import io.ecfs.message.report.FileProblem;
import io.ecfs.message.report.FileProblem.LackingChunk;
import io.ecfs.namenode.command.CallerIdentity;
import io.ecfs.namenode.context.ClusterView;
import io.ecfs.namenode.context.NamenodeContext;
import io.ecfs.namenode.group.GroupFacts;
import io.ecfs.namenode.group.PackedGroups;
import io.ecfs.namenode.health.HealthSurvey;
import io.ecfs.namenode.health.UnderReplicationIndex;
import io.ecfs.namenode.namespace.NamespaceView;
import io.ecfs.namenode.namespace.inode.Lease;
import io.ecfs.namenode.reconstruction.ChunkRepair;
import io.ecfs.namenode.reconstruction.RepairCauses.Found;
import io.ecfs.namenode.reconstruction.RepairService;
import io.ecfs.namenode.state.MetadataView;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * Problems of files, their causes, and what is done about them, as the leader knows. Covers the files that the caller
 * could find by listing, as HDFS's fsck does. Owner thread: the namenode's event thread.
 */
record Problems(NamenodeContext context, ClusterView cluster, HealthSurvey survey, RepairService repairs) {

    /** Files of one group in an answer, and those that are examined for it. */
    private static final int MOST_FILES = 1000;

    private static final int MOST_EXAMINED = 10_000;

    /**
     * @throws EcfsException {@code SAFE_MODE} while not all damage is known, {@code ACCESS_DENIED} to callers without
     *     the right to read at the path
     */
    NamespaceReply.Problems find(NamespaceRequest.FindProblems request, CallerIdentity caller) throws EcfsException {
        survey.requireFirstPass();
        List<FileProblem> problems = new ArrayList<>();
        boolean urgent = !request.lost() && request.urgentFirst().orElse(false);
        List<GroupId> groups = urgent
                ? survey.urgent(Optional.empty(), request.limit()).stream()
                        .map(UnderReplicationIndex.Urgency::group)
                        .toList()
                : survey.damagedFrom(request.lost(), new GroupId(request.afterGroup() + 1), request.limit());
        boolean more = !urgent && groups.size() == request.limit();
        long last = 0;
        try (MetadataView view = context.facts().get()) {
            NamespaceView namespace = view.namespace();
            namespace.requireListable(request.path(), caller);
            Predicate<FilePath> shown =
                    path -> request.path().contains(path) && namespace.lists(request.path(), path, caller);
            if (request.lost() && request.afterGroup() == 0) {
                problems.addAll(waiting(namespace, view, shown));
            }
            int before = problems.size();
            for (GroupId id : groups) {
                if (problems.size() - before >= request.limit()) {
                    more = !urgent;
                    break;
                }
                view.sealedGroup(id).ifPresent(group -> problems.addAll(of(view, group, request.lost(), shown)));
                last = id.value();
            }
        }
        return new NamespaceReply.Problems(problems, more ? last : 0);
    }

    /** Of a group that lost bytes, each file that lost some; of another one, the first file. */
    private List<FileProblem> of(MetadataView view, GroupFacts group, boolean lost, Predicate<FilePath> shown) {
        boolean unreadable = survey.lost(group.group());
        if (unreadable && !lost) {
            return List.of();
        }
        NamespaceView namespace = view.knownNamespace();
        List<FileProblem> problems = new ArrayList<>();
        for (InodeId file : namespace.files(group, MOST_EXAMINED)) {
            long beyond = lost && !unreadable ? namespace.bytesBeyond(group, file) : 0;
            if (unreadable || beyond > 0 || !lost) {
                namespace
                        .status(file)
                        .map(FileStatus::path)
                        .filter(shown)
                        .map(path -> beyond > 0 ? cutShort(path, group, beyond) : problem(view, path, group))
                        .ifPresent(problems::add);
            }
            if (problems.size() == (lost ? MOST_FILES : 1)) {
                break;
            }
        }
        return problems;
    }

    /** Closed files in packs that are not sealed, of which too few chunks can be reached to read or recover them. */
    private List<FileProblem> waiting(NamespaceView namespace, MetadataView view, Predicate<FilePath> shown) {
        List<FileProblem> problems = new ArrayList<>();
        for (Lease lease : namespace.leases(0, MOST_EXAMINED)) {
            Optional<GroupFacts> pack =
                    lease.openGroup().flatMap(view::group).filter(group -> group.open() && PackedGroups.packed(group));
            ChunkSet reached = pack.map(this::reached).orElse(ChunkSet.of(List.of()));
            if (pack.isPresent() && !pack.get().policy().code().decodable(reached)) {
                namespace.files(pack.get(), MOST_FILES).stream()
                        .flatMap(file -> namespace.status(file).stream())
                        .map(FileStatus::path)
                        .filter(shown)
                        .map(path -> waiting(path, pack.get(), reached.size()))
                        .forEach(problems::add);
            }
        }
        return problems;
    }

    private ChunkSet reached(GroupFacts open) {
        return ChunkSet.of(open.stored().stream()
                .filter(stored -> cluster.healthyOwner(stored.volume()) && !cluster.away(stored.volume()))
                .map(stored -> stored.chunk().index())
                .toList());
    }

    private static FileProblem waiting(FilePath path, GroupFacts pack, int reached) {
        return new FileProblem(
                path,
                pack.group(),
                reached,
                pack.policy().dataChunks(),
                true,
                List.of(),
                "waits: its pack was not sealed when its datanodes were lost; it is recovered when they are back");
    }

    private FileProblem cutShort(FilePath path, GroupFacts group, long beyond) {
        return new FileProblem(
                path,
                group.group(),
                cluster.live(group).size(),
                group.policy().dataChunks(),
                true,
                List.of(),
                "nothing: " + beyond + " of its bytes lie beyond the end of the pack, which was recovered without them"
                        + " after a loss of power; write the file anew, or delete it");
    }

    private FileProblem problem(MetadataView view, FilePath path, GroupFacts group) {
        List<LackingChunk> lacking = new ArrayList<>();
        Optional<String> unsure = Optional.empty();
        boolean certain = false;
        Map<Integer, Long> since = survey.lacking(group.group());
        for (Map.Entry<Integer, Long> lack : since.entrySet()) {
            int index = lack.getKey();
            Optional<Found> found = repairs.causes().of(group, index, lack.getValue());
            String why = found.map(Found::text).orElseGet(() -> repairs.causes().waitingFor(group, index));
            certain |= found.isPresent();
            unsure = unsure.or(() -> found.isPresent() ? Optional.empty() : Optional.of(why));
            lacking.add(new LackingChunk(index, place(group, index), why));
        }
        ChunkSet alive = cluster.live(group);
        boolean lost = !group.policy().code().decodable(alive);
        return new FileProblem(
                path,
                group.group(),
                alive.size(),
                group.policy().dataChunks(),
                lost,
                lacking,
                lost
                        ? "nothing: too few chunks are left; waits for one to come back"
                        : doing(view, group, certain, unsure));
    }

    private String place(GroupFacts group, int index) {
        Optional<VolumeId> volume = group.places().get(index).volume();
        return volume.map(v -> v
                        + cluster.topology()
                                .owner(v)
                                .map(owner -> " of " + owner.datanode())
                                .orElse(""))
                .orElse("");
    }

    private String doing(MetadataView view, GroupFacts group, boolean certain, Optional<String> unsure) {
        GroupId id = group.group();
        Optional<ChunkRepair> running = repairs.running(id);
        if (running.isPresent()) {
            ChunkRepair repair = running.get();
            return "chunk " + repair.index + " is being rebuilt on " + repair.target + " of " + repair.targetDatanode
                    + " since " + (context.nowMillis() - repair.sinceMillis) / 1000 + " s";
        } else if (context.throttles(view).off()) {
            return "nothing: repair is switched off, 'ecfs admin throttle --repairs' or settings.recovery.atOnce is 0";
        } else if (repairs.delays().retryInMillis(id) > 0) {
            return "waits " + (repairs.delays().retryInMillis(id) + 999) / 1000
                    + " s for another attempt, the last one failed: "
                    + repairs.delays().failure(id).orElseThrow().reason();
        } else if (!certain) {
            return "waits: " + unsure.orElse("it may only not be reported yet");
        }
        return repairs.delays()
                .waiting(id)
                .map(waiting -> "waits: " + waiting.reason())
                .orElse("repair is planned, " + repairs.running() + " others are under way");
    }
}
