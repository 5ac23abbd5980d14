package io.ecfs.namenode.rewriting;

import io.ecfs.layout.Extent;
import io.ecfs.layout.GroupId;
import io.ecfs.layout.InodeId;
import io.ecfs.namenode.cluster.Counter;
import io.ecfs.namenode.context.ClusterView;
import io.ecfs.namenode.context.NamenodeContext;
import io.ecfs.namenode.group.GroupFacts;
import io.ecfs.namenode.group.PackedGroups;
import io.ecfs.namenode.namespace.NamespaceView;
import io.ecfs.namenode.namespace.inode.Inode;
import io.ecfs.namenode.state.MetadataView;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;

/**
 * Cleaning of packs: what is left of groups of which most files were deleted is rewritten together, and the groups go.
 * {@link CleaningChoice} says which.
 */
final class Cleaning extends BackgroundJob {
    private static final GroupId FIRST = new GroupId(1);

    /** Groups that one page has. */
    private static final int PAGE = 2000;

    private final ClusterView cluster;
    private final RewriteSources sources;
    private final Deque<GroupId> chosen = new ArrayDeque<>();
    /** Of the round under way, and the group at which it goes on. */
    private Optional<CleaningChoice> choice = Optional.empty();

    private GroupId at = FIRST;

    Cleaning(NamenodeContext context, ClusterView cluster, RewriteSources sources) {
        super(context);
        this.cluster = cluster;
        this.sources = sources;
    }

    @Override
    public boolean freesSpace() {
        return true;
    }

    @Override
    void begin(MetadataView view) {
        at = FIRST;
        choice = Optional.of(new CleaningChoice(
                cluster.roomIsScarce() ? settings.leavingNothingDead() : settings, view.count(Counter.LAST_GROUP)));
    }

    @Override
    boolean walking() {
        return choice.isPresent();
    }

    @Override
    void page(MetadataView view) {
        CleaningChoice round = choice.orElseThrow();
        int[] seen = {0};
        view.groups(at, group -> {
            at = new GroupId(group.group().value() + 1);
            if (PackedGroups.packed(group) && !group.open()) {
                round.add(group.group(), group.length(), group.liveBytes().orElse(group.length()));
            }
            return ++seen[0] < PAGE;
        });
        if (seen[0] < PAGE) {
            choice = Optional.empty();
            chosen.addAll(round.chosen());
        }
    }

    /** Plans what is left of one group. */
    @Override
    boolean planOne(MetadataView view) {
        GroupId next = chosen.poll();
        if (next == null) {
            return false;
        }
        view.sealedGroup(next)
                .filter(group -> sources.unreadable(view, next).isEmpty())
                .ifPresent(group -> plan(view, group));
        if (chosen.isEmpty()) {
            closeBatches();
        }
        return true;
    }

    private void plan(MetadataView view, GroupFacts group) {
        NamespaceView namespace = view.knownNamespace();
        for (InodeId id : namespace.files(group, Integer.MAX_VALUE)) {
            Inode file = namespace.inode(id).orElseThrow();
            List<Extent> extents = ((Inode.File) file.body())
                    .extents().stream()
                            .filter(extent ->
                                    extent.group().equals(group.group()) && !RewriteSources.lost(view, extent))
                            .toList();
            if (!extents.isEmpty() && namespace.status(id).isPresent()) {
                to(group.policy(), RewriteReason.CLEANING).plan(view, file, extents);
            }
        }
    }
}
