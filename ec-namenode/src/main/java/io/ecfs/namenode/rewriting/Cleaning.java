package io.ecfs.namenode.rewriting;

import io.ecfs.layout.Extent;
import io.ecfs.layout.GroupId;
import io.ecfs.layout.InodeId;
import io.ecfs.namenode.cluster.Counter;
import io.ecfs.namenode.context.ClusterView;
import io.ecfs.namenode.context.NamenodeContext;
import io.ecfs.namenode.group.GroupFacts;
import io.ecfs.namenode.group.PackedGroups;
import io.ecfs.namenode.group.RewriteLayout;
import io.ecfs.namenode.group.RewritePiece;
import io.ecfs.namenode.namespace.NamespaceView;
import io.ecfs.namenode.namespace.inode.Inode;
import io.ecfs.namenode.state.MetadataView;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Cleaning of packs: what is left of groups of which most files were deleted is rewritten together, and the groups go.
 * {@link CleaningChoice} says which.
 */
final class Cleaning extends BackgroundJob {
    private static final GroupId FIRST = new GroupId(1);

    /** Groups that one page has. */
    private static final int PAGE = 2000;

    /** Files that one step counts. */
    private static final int FILES = 2000;

    /** Groups that are remembered; others are counted again. */
    private static final int MOST_COUNTED = 100_000;

    private final ClusterView cluster;
    private final RewriteSources sources;
    private final Map<GroupId, Count> counted = new LinkedHashMap<>() {
        @Override
        protected boolean removeEldestEntry(Map.Entry<GroupId, Count> eldest) {
            return size() > MOST_COUNTED;
        }
    };
    private final Deque<GroupId> chosen = new ArrayDeque<>();
    /** Of the round under way, and the group at which it goes on. */
    private Optional<CleaningChoice> choice = Optional.empty();

    private GroupId at = FIRST;
    private Optional<Counting> counting = Optional.empty();

    /**
     * What is left of a group, counted file by file.
     *
     * @param live bytes of it then
     * @param taken bytes that they take in a new group, with the gaps between them
     */
    private record Count(long live, long taken) {
        /** As many, in proportion, when fewer are live. */
        long taken(long now) {
            return (long) ((double) taken * now / Math.max(1, live));
        }
    }

    /** A group whose files are being counted, and those that were counted by now. */
    private static final class Counting {
        final GroupFacts group;
        final List<Left> left = new ArrayList<>();
        /** Files have bytes in it that stay there. */
        boolean stays;

        long after;

        Counting(GroupFacts group) {
            this.group = group;
        }
    }

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
                add(view, round, group);
            }
            return ++seen[0] < PAGE;
        });
        if (seen[0] < PAGE) {
            choice = Optional.empty();
            chosen.addAll(round.chosen());
        }
    }

    /** Nothing is freed by one that would be cleaned and cannot be copied now. */
    private void add(MetadataView view, CleaningChoice round, GroupFacts group) {
        long taken = taken(group);
        boolean candidate = CleaningChoice.pays(settings, group.length(), taken);
        if (!candidate || sources.unreadable(view, group.group()).isEmpty()) {
            round.add(group.group(), group.length(), taken);
        }
    }

    /** Counts what is left of one group, step by step, and plans it. */
    @Override
    boolean planOne(MetadataView view) {
        if (counting.isEmpty()) {
            GroupId next = chosen.poll();
            if (next == null) {
                return false;
            }
            counting = view.sealedGroup(next)
                    .filter(group -> sources.unreadable(view, next).isEmpty())
                    .map(Counting::new);
        }
        if (counting.isPresent() && count(view, counting.get())) {
            plan(view, counting.get());
            counting = Optional.empty();
        }
        if (counting.isEmpty() && chosen.isEmpty()) {
            closeBatches();
        }
        return true;
    }

    /** Bytes that what is left of a group takes in a new one; before it was counted those that are live. */
    private long taken(GroupFacts group) {
        long live = live(group);
        return Optional.ofNullable(counted.get(group.group()))
                .map(count -> count.taken(live))
                .orElse(live);
    }

    /** Counts some more files; returns whether these were the last ones. */
    private static boolean count(MetadataView view, Counting counting) {
        NamespaceView namespace = view.knownNamespace();
        GroupFacts group = counting.group;
        List<InodeId> files = namespace.packedFiles(group.group(), counting.after, FILES);
        for (InodeId id : files) {
            counting.after = id.value();
            Inode file = namespace.inode(id).orElseThrow();
            List<Extent> extents = ((Inode.File) file.body())
                    .extents().stream()
                            .filter(extent ->
                                    extent.group().equals(group.group()) && !RewriteSources.lost(view, extent))
                            .toList();
            boolean there = !extents.isEmpty() && namespace.status(id).isPresent();
            counting.stays |= there && !((Inode.File) file.body()).movable();
            if (there) {
                counting.left.add(new Left(file, extents));
            }
        }
        return files.size() < FILES;
    }

    private void plan(MetadataView view, Counting counting) {
        GroupFacts group = counting.group;
        List<Left> left = counting.left;
        // Where power took all that is left, or a file has patches or is updated, the files keep the group.
        long taken = left.isEmpty() || counting.stays
                ? group.length()
                : RewriteLayout.packed(group.policy(), 0, pieces(left)).length();
        counted.put(group.group(), new Count(live(group), taken));
        if (CleaningChoice.pays(settings, group.length(), taken)) {
            left.forEach(each -> to(group.policy(), RewriteReason.CLEANING).plan(view, each.file(), each.extents()));
        }
    }

    /** Extents of a file in a group that is cleaned. */
    private record Left(Inode file, List<Extent> extents) {}

    private static List<RewritePiece> pieces(List<Left> left) {
        return left.stream()
                .flatMap(each -> each.extents().stream()
                        .map(extent -> new RewritePiece(each.file().id(), extent)))
                .toList();
    }

    private static long live(GroupFacts group) {
        return group.liveBytes().orElse(group.length());
    }
}
