package io.ecfs.namenode.rewriting;

import io.ecfs.layout.Extent;
import io.ecfs.layout.GroupId;
import io.ecfs.layout.InodeId;
import io.ecfs.layout.Policy;
import io.ecfs.message.namespace.RefusedFile;
import io.ecfs.namenode.cluster.Counter;
import io.ecfs.namenode.context.NamenodeContext;
import io.ecfs.namenode.group.GroupFacts;
import io.ecfs.namenode.group.PackedGroups;
import io.ecfs.namenode.group.RewritePiece;
import io.ecfs.namenode.namespace.NamespaceView;
import io.ecfs.namenode.namespace.inode.Attributes;
import io.ecfs.namenode.namespace.inode.Inode;
import io.ecfs.namenode.settings.RewriteSettings;
import io.ecfs.namenode.state.MetadataView;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Cleaning of packs: what is left of groups of which most files were deleted is rewritten together, and the groups go.
 * {@link CleaningChoice} says which.
 */
final class Cleaning implements RewriteJob {
    private static final GroupId FIRST = new GroupId(1);

    /** Groups that one step looks at. */
    private static final int PAGE = 2000;

    /** Pieces of files that one pass rewrites, but for those of its last group. */
    private static final int MOST_PIECES = 100_000;

    private final NamenodeContext context;
    private final Sources sources;
    private final RewriteSettings settings;
    private final Map<Kind, RewriteBatches> batches = new LinkedHashMap<>();
    /** Of the pass under way, and the group at which it goes on. */
    private Optional<CleaningChoice> choice = Optional.empty();

    private GroupId at = FIRST;
    private int outstanding;
    private long passedMillis;

    /** Files that may share a group. */
    private record Kind(Policy policy, Attributes rights) {}

    Cleaning(NamenodeContext context, Sources sources) {
        this.context = context;
        this.sources = sources;
        this.settings = context.settings().rewrite();
        this.passedMillis = context.nowMillis();
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
        if (choice.isPresent()) {
            scan(view, choice.get());
            return new Need.Turn();
        }
        Optional<Need.Rewrite> planned =
                batches.values().stream().flatMap(each -> each.next().stream()).findFirst();
        if (planned.isPresent()) {
            outstanding++;
            return planned.get();
        }
        if (outstanding == 0 && context.passed(settings.period(), passedMillis)) {
            passedMillis = context.nowMillis();
            at = FIRST;
            choice = Optional.of(new CleaningChoice(settings, view.count(Counter.LAST_GROUP)));
            return new Need.Turn();
        }
        return new Need.Nothing();
    }

    private void scan(MetadataView view, CleaningChoice pass) {
        int[] seen = {0};
        view.groups(at, group -> {
            at = new GroupId(group.group().value() + 1);
            if (PackedGroups.packed(group) && !group.open()) {
                pass.add(group.group(), group.length(), group.liveBytes().orElse(group.length()));
            }
            return ++seen[0] < PAGE;
        });
        if (seen[0] < PAGE) {
            choice = Optional.empty();
            plan(view, pass.chosen());
        }
    }

    private void plan(MetadataView view, List<GroupId> groups) {
        batches.clear();
        int pieces = 0;
        for (GroupId group : groups) {
            if (pieces >= MOST_PIECES) {
                break; // the next pass cleans the others
            }
            pieces += view.sealedGroup(group)
                    .filter(facts -> sources.unreadable(view, group).isEmpty())
                    .map(facts -> plan(view, facts))
                    .orElse(0);
        }
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
            batches.computeIfAbsent(kind, each -> new RewriteBatches(each.policy()))
                    .addSmall(file, extents);
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
