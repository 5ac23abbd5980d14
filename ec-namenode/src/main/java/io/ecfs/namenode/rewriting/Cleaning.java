package io.ecfs.namenode.rewriting;

import io.ecfs.layout.Extent;
import io.ecfs.layout.GroupId;
import io.ecfs.layout.InodeId;
import io.ecfs.layout.Policy;
import io.ecfs.message.namespace.RefusedFile;
import io.ecfs.namenode.context.NamenodeContext;
import io.ecfs.namenode.group.GroupFacts;
import io.ecfs.namenode.group.RewritePiece;
import io.ecfs.namenode.namespace.NamespaceView;
import io.ecfs.namenode.namespace.inode.Attributes;
import io.ecfs.namenode.namespace.inode.Inode;
import io.ecfs.namenode.settings.RewriteSettings;
import io.ecfs.namenode.state.MetadataView;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.function.Predicate;

/**
 * Cleaning of packs: what is left of groups of which most files were deleted is rewritten together, and the groups go.
 * A group with live share u costs u/(1-u) bytes copied for each byte that it frees. Those come first whose
 * (1-u)/(1+u) x age is largest (Rosenblum and Ousterhout 1992, section 3.6); the age is counted in groups allocated
 * since.
 */
final class Cleaning implements RewriteJob {
    /** Groups that one step looks at. */
    private static final int PAGE = 2000;

    /** Groups that one pass cleans at most, and pieces of files in them. */
    private static final int MOST_GROUPS = 256;

    private static final int MOST_PIECES = 100_000;

    private final NamenodeContext context;
    private final Predicate<GroupFacts> whole;
    private final RewriteSettings settings;
    private final TreeSet<Candidate> candidates = new TreeSet<>(Candidate.FIRST);
    private final Map<Kind, RewriteBatches> batches = new LinkedHashMap<>();
    private Optional<GroupId> at = Optional.empty();
    private long last;
    private int outstanding;
    private long passedMillis;

    /** A group to clean; {@code worth} as in the paper. */
    private record Candidate(GroupId group, double worth) {
        static final Comparator<Candidate> FIRST =
                Comparator.comparingDouble(Candidate::worth).reversed().thenComparing(Candidate::group);
    }

    /** Files that may share a group. */
    private record Kind(Policy policy, Attributes rights) {}

    /** @param whole whether a group lacks no chunk */
    Cleaning(NamenodeContext context, Predicate<GroupFacts> whole) {
        this.context = context;
        this.whole = whole;
        this.settings = context.settings().rewrite();
        this.passedMillis = context.nowMillis();
    }

    /** Worth of cleaning a group first. */
    static double worth(double liveShare, double age) {
        return (1 - liveShare) / (1 + liveShare) * age;
    }

    @Override
    public String why() {
        return "cleaned";
    }

    @Override
    public boolean freesSpace() {
        return true;
    }

    @Override
    public boolean counts() {
        return false;
    }

    @Override
    public void heldBack(Optional<String> reason) {}

    @Override
    public Need next(MetadataView view) {
        if (at.isPresent()) {
            scan(view, at.get());
            return new Need.Turn();
        }
        Optional<Need.Rewrite> planned =
                batches.values().stream().flatMap(each -> each.next().stream()).findFirst();
        if (planned.isPresent()) {
            outstanding++;
            return planned.get();
        }
        if (!candidates.isEmpty() && outstanding == 0) {
            plan(view);
            return new Need.Turn();
        }
        if (outstanding == 0 && context.passed(settings.period(), passedMillis)) {
            passedMillis = context.nowMillis();
            at = Optional.of(new GroupId(1));
            last = 0;
            return new Need.Turn();
        }
        return new Need.Nothing();
    }

    private void scan(MetadataView view, GroupId from) {
        int[] seen = {0};
        GroupId[] next = {from};
        view.groups(from, group -> {
            last = Math.max(last, group.group().value());
            next[0] = new GroupId(group.group().value() + 1);
            share(group).filter(share -> share < settings.cleanBelow()).ifPresent(share -> {
                candidates.add(new Candidate(group.group(), worth(share, 1 + last - group.group().value())));
            });
            return ++seen[0] < PAGE;
        });
        at = seen[0] < PAGE ? Optional.empty() : Optional.of(next[0]);
        while (candidates.size() > MOST_GROUPS) {
            candidates.pollLast();
        }
    }

    /** The share of a sealed pack's bytes to which files refer. */
    private static Optional<Double> share(GroupFacts group) {
        return group.open() || group.length() == 0
                ? Optional.empty()
                : group.liveBytes().map(live -> (double) live / group.length());
    }

    private void plan(MetadataView view) {
        batches.clear();
        int pieces = 0;
        while (pieces < MOST_PIECES && !candidates.isEmpty()) {
            Candidate first = candidates.pollFirst();
            pieces += view.sealedGroup(first.group())
                    .filter(whole)
                    .map(group -> plan(view, group))
                    .orElse(0);
        }
        candidates.clear();
        batches.values().forEach(RewriteBatches::closeSmall);
    }

    private int plan(MetadataView view, GroupFacts group) {
        int pieces = 0;
        NamespaceView namespace = view.knownNamespace();
        for (InodeId id : namespace.files(group, Integer.MAX_VALUE)) {
            Inode file = namespace.inode(id).orElseThrow();
            List<Extent> extents = ((Inode.File) file.body())
                    .extents().stream()
                            .filter(extent -> extent.group().equals(group.group()))
                            .toList();
            Kind kind = new Kind(group.policy(), file.attributes().withTimes(0, 0));
            batches.computeIfAbsent(kind, each -> new RewriteBatches(each.policy())).addSmall(file, extents);
            pieces += extents.size();
        }
        return pieces;
    }

    @Override
    public void putBack(Need.Rewrite rewrite) {
        outstanding--; // the next pass finds the groups again
    }

    @Override
    public void rewritten(MetadataView view, List<RewritePiece> pieces, List<RefusedFile> refused) {
        outstanding--;
    }

    @Override
    public void notRewritten(MetadataView view, List<RewritePiece> pieces, String reason) {
        outstanding--;
    }

    @Override
    public void adopted(MetadataView view, InodeId file, Optional<String> reason) {}
}
