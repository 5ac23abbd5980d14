package io.ecfs.namenode.rewriting;

import io.ecfs.layout.Extent;
import io.ecfs.layout.InodeId;
import io.ecfs.layout.Policy;
import io.ecfs.message.namespace.ConversionRule;
import io.ecfs.message.namespace.RefusedFile;
import io.ecfs.namenode.context.NamenodeContext;
import io.ecfs.namenode.namespace.inode.Inode;
import io.ecfs.namenode.state.MetadataView;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Walks over all files, and has rewritten what a conversion rule of their directory requires, what is packed with files
 * of other rights, and what appends left in many places.
 */
final class Sweep extends BackgroundJob {
    private static final Logger LOG = LoggerFactory.getLogger(Sweep.class);

    /** Names that one page has. */
    private static final int PAGE = 500;

    /** Time for which a file is left that would be over its quota. */
    private static final Duration REFUSED = Duration.ofHours(1);

    private static final int MOST_REFUSED = 10_000;

    private final RewriteSources sources;
    private final MixedPacks mixed = new MixedPacks();
    private Optional<TreeCursor> cursor = Optional.empty();
    /** Log entry after which the last walk began; it has met no file that is to change unless the facts do. */
    private long examined = -1;

    private boolean nothingToDo;
    /** Files that were over their quota, and when. */
    private final Map<InodeId, Long> refused = new LinkedHashMap<>() {
        @Override
        protected boolean removeEldestEntry(Map.Entry<InodeId, Long> eldest) {
            return size() > MOST_REFUSED;
        }
    };

    Sweep(NamenodeContext context, RewriteSources sources) {
        super(context);
        this.sources = sources;
    }

    @Override
    public boolean freesSpace() {
        return false;
    }

    @Override
    void begin(MetadataView view) {
        long now = view.applied().index();
        if (nothingToDo && now == examined) {
            return;
        }
        examined = now;
        nothingToDo = true;
        cursor = Optional.of(new TreeCursor(InodeId.ROOT, true, List.of()));
        mixed.beginRound();
        refused.values().removeIf(since -> context.passed(REFUSED, since));
    }

    @Override
    boolean walking() {
        return cursor.isPresent();
    }

    @Override
    void page(MetadataView view) {
        TreeCursor walk = cursor.orElseThrow();
        mixed.beginPage();
        for (TreeCursor.Met met : walk.next(view.knownNamespace(), PAGE)) {
            nothingToDo &= examine(view, met);
        }
        if (walk.ended()) {
            cursor = Optional.empty();
            closeBatches();
        }
    }

    /** Returns whether a file stays as it is until the facts change. */
    private boolean examine(MetadataView view, TreeCursor.Met met) {
        Inode.File file = (Inode.File) met.file().body();
        if (!file.movable()) {
            return true;
        }
        if (refused.containsKey(met.file().id())) {
            return false;
        }
        Duration age = Duration.ofMillis(
                Math.max(0, context.epochMillis() - met.file().attributes().modifiedMillis()));
        Optional<Policy> required = file.open() ? Optional.empty() : ConversionRule.of(met.rules(), age);
        List<Extent> others = required.map(policy -> RewriteSources.otherPolicy(view, file, policy))
                .orElse(List.of());
        if (!others.isEmpty()) {
            plan(view, met.file(), required.get(), others, RewriteReason.RULE);
            return false;
        }
        Map<Policy, List<Extent>> apart = mixed.extents(view, met.file());
        if (!apart.isEmpty() && mixed.foundAgain(met.file().id())) {
            apart.forEach((policy, extents) -> plan(view, met.file(), policy, extents, RewriteReason.OTHER_RIGHTS));
            return false;
        }
        Optional<Joining.Joined> joining = Joining.of(view, file);
        joining.filter(joined ->
                        joined.places() >= Joining.MANY || (!file.open() && age.compareTo(settings.joinAfter()) >= 0))
                .ifPresent(joined -> plan(view, met.file(), joined.policy(), joined.extents(), RewriteReason.JOINING));
        return met.rules().isEmpty() && apart.isEmpty() && joining.isEmpty();
    }

    private void plan(MetadataView view, Inode inode, Policy policy, List<Extent> extents, RewriteReason reason) {
        boolean readable = sources.unreadable(view, extents).isEmpty()
                && extents.stream().noneMatch(extent -> RewriteSources.lost(view, extent));
        if (readable) {
            to(policy, reason).plan(view, inode, extents);
        }
    }

    @Override
    void refused(RefusedFile file) {
        LOG.info("event=file_not_rewritten inode={} reason=\"{}\"", file.file(), file.reason());
        refused.put(file.file(), context.nowMillis());
    }
}
