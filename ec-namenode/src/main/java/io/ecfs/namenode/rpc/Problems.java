package io.ecfs.namenode.rpc;

import io.ecfs.code.ChunkSet;
import io.ecfs.error.EcfsException;
import io.ecfs.layout.GroupId;
import io.ecfs.message.FilePath;
import io.ecfs.message.VolumeId;
import io.ecfs.message.namespace.NamespaceReply;
import io.ecfs.message.namespace.NamespaceRequest;
import io.ecfs.message.report.FileProblem;
import io.ecfs.message.report.FileProblem.LackingChunk;
import io.ecfs.namenode.command.CallerIdentity;
import io.ecfs.namenode.context.ClusterView;
import io.ecfs.namenode.context.NamenodeContext;
import io.ecfs.namenode.group.GroupFacts;
import io.ecfs.namenode.health.HealthSurvey;
import io.ecfs.namenode.health.UnderReplicationIndex;
import io.ecfs.namenode.reconstruction.ChunkRepair;
import io.ecfs.namenode.reconstruction.RepairCauses.Found;
import io.ecfs.namenode.reconstruction.RepairService;
import io.ecfs.namenode.state.MetadataView;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Problems of files, their causes, and what is done about them, as the leader knows. Covers the files that the caller
 * could find by listing, as HDFS's fsck does. Owner thread: the namenode's event thread.
 */
record Problems(NamenodeContext context, ClusterView cluster, HealthSurvey survey, RepairService repairs) {

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
        try (MetadataView view = context.facts().get()) {
            view.namespace().requireListable(request.path(), caller);
            for (GroupId id : groups) {
                if (request.lost() == survey.lost(id)) {
                    Optional<GroupFacts> group = view.sealedGroup(id);
                    Optional<FilePath> path = group.isEmpty() ? Optional.empty() : path(view, group.get());
                    path.filter(p -> request.path().contains(p)
                                    && view.knownNamespace().lists(request.path(), p, caller))
                            .ifPresent(p -> problems.add(problem(view, p, group.get())));
                }
            }
        }
        boolean more = !urgent && groups.size() == request.limit();
        return new NamespaceReply.Problems(
                problems, more ? groups.get(groups.size() - 1).value() : 0);
    }

    private static Optional<FilePath> path(MetadataView view, GroupFacts group) throws EcfsException {
        return view.namespace().pathOf(group);
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
