package io.ecfs.namenode.rpc;

import io.ecfs.code.ChunkSet;
import io.ecfs.error.EcfsException;
import io.ecfs.layout.ChunkId;
import io.ecfs.layout.GroupId;
import io.ecfs.layout.Policy;
import io.ecfs.message.DatanodeId;
import io.ecfs.message.VolumeId;
import io.ecfs.message.namespace.NamespaceReply.StopChecked;
import io.ecfs.message.namespace.NamespaceRequest.CheckStop;
import io.ecfs.message.report.StopProblem;
import io.ecfs.namenode.context.ClusterView;
import io.ecfs.namenode.context.NamenodeContext;
import io.ecfs.namenode.group.ChunkOnVolume;
import io.ecfs.namenode.group.GroupFacts;
import io.ecfs.namenode.health.HealthSurvey;
import io.ecfs.namenode.state.MetadataView;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;

/**
 * Counts what groups would have left if some datanodes stopped now, a page of the chunks on their volumes at a time.
 * Chunks that cannot be read now, of dead datanodes and failed volumes, do not count. Owner thread: the namenode's
 * event thread.
 */
final class SafeToStopCheck {
    private final ClusterView cluster;
    private final MetadataView view;
    private final TreeSet<VolumeId> stopping = new TreeSet<>();
    private final List<StopProblem> problems = new ArrayList<>();
    private long checked;
    private long open;
    private long unreadable;
    private long withoutSpare;

    /** @throws EcfsException {@code NOT_FOUND} for a datanode that never registered */
    private SafeToStopCheck(ClusterView cluster, MetadataView view, List<DatanodeId> datanodes) throws EcfsException {
        this.cluster = cluster;
        this.view = view;
        for (DatanodeId datanode : datanodes) {
            stopping.addAll(view.registered(datanode).volumes().values());
        }
    }

    /**
     * @throws EcfsException {@code NOT_FOUND} for a datanode that never registered, {@code SAFE_MODE} while too little
     *     is known
     */
    static StopChecked page(NamenodeContext context, ClusterView cluster, HealthSurvey survey, CheckStop request)
            throws EcfsException {
        survey.requireFirstPass();
        try (MetadataView view = context.facts().get()) {
            return new SafeToStopCheck(cluster, view, request.datanodes()).page(request);
        }
    }

    private StopChecked page(CheckStop request) throws EcfsException {
        int left = request.limit();
        Optional<VolumeId> volume =
                stopping.stream().filter(v -> v.value() >= request.volume()).findFirst();
        long after = volume.filter(v -> v.value() == request.volume()).isPresent() ? request.afterGroup() : 0;
        while (volume.isPresent() && left > 0) {
            List<ChunkOnVolume> page = view.chunksOn(volume.get(), behind(volume.get(), after), left);
            for (ChunkOnVolume stored : page) {
                check(stored);
            }
            if (page.size() == left) {
                after = page.get(page.size() - 1).chunk().group().value();
            } else {
                volume = Optional.ofNullable(stopping.higher(volume.get()));
                after = 0;
            }
            left -= page.size();
        }
        return new StopChecked(
                checked,
                open,
                unreadable,
                withoutSpare,
                problems,
                volume.map(VolumeId::value).orElse(0),
                after);
    }

    private static Optional<ChunkOnVolume> behind(VolumeId volume, long group) {
        return group == 0
                ? Optional.empty()
                : Optional.of(new ChunkOnVolume(
                        volume, new ChunkId(new GroupId(group), Policy.MAX_CHUNKS - 1, Integer.MAX_VALUE)));
    }

    private void check(ChunkOnVolume stored) throws EcfsException {
        GroupFacts group = view.group(stored.chunk().group()).orElseThrow();
        boolean first = group.stored().stream()
                .map(ChunkOnVolume::volume)
                .filter(stopping::contains)
                .min(VolumeId::compareTo)
                .equals(Optional.of(stored.volume()));
        if (!first) {
            return; // it was looked at, or will be, with another of its chunks
        }
        if (group.open()) {
            open++;
            return;
        }
        checked++;
        ChunkSet alive = ChunkSet.empty();
        ChunkSet then = ChunkSet.empty();
        for (ChunkOnVolume chunk : group.stored()) {
            if (cluster.live(group, chunk)) {
                alive = alive.with(chunk.chunk().index());
                then = stopping.contains(chunk.volume())
                        ? then
                        : then.with(chunk.chunk().index());
            }
        }
        boolean readable = group.policy().code().decodable(then);
        if (!readable) {
            unreadable++;
        } else if (!group.policy().code().redundant(then)) {
            withoutSpare++;
        } else {
            return;
        }
        if (problems.size() < StopChecked.MAX_PROBLEMS) {
            problems.add(new StopProblem(
                    group.group(),
                    view.namespace().pathOf(group),
                    alive.size(),
                    then.size(),
                    group.policy().dataChunks(),
                    !readable));
        }
    }
}
