package io.ecfs.namenode.rewriting;

import io.ecfs.layout.Extent;
import io.ecfs.layout.InodeId;
import io.ecfs.layout.Policy;
import io.ecfs.message.namespace.ConversionRule;
import io.ecfs.message.namespace.RefusedFile;
import io.ecfs.namenode.context.NamenodeContext;
import io.ecfs.namenode.group.RewritePiece;
import io.ecfs.namenode.namespace.inode.Inode;
import io.ecfs.namenode.settings.RewriteSettings;
import io.ecfs.namenode.state.MetadataView;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Walks over all files, a page with each tick, and has rewritten what a conversion rule of their directory asks for, or
 * what appends left in many places. What fails or changes meanwhile is met again by the next walk.
 */
final class Sweep implements RewriteJob {
    /** Names that one step walks over. */
    private static final int PAGE = 500;

    /** Time between two pages. */
    private static final Duration PACE = Duration.ofSeconds(1);

    private final NamenodeContext context;
    private final Sources sources;
    private final RewriteSettings settings;
    private final Map<Policy, RewriteBatches> batches = new LinkedHashMap<>();
    private Optional<TreeCursor> cursor = Optional.empty();
    private int outstanding;
    private long walkedMillis;
    private long pagedMillis;
    private boolean walking;

    Sweep(NamenodeContext context, Sources sources) {
        this.context = context;
        this.sources = sources;
        this.settings = context.settings().rewrite();
        this.walkedMillis = context.nowMillis();
    }

    @Override
    public String why() {
        return "joined or converted by a rule";
    }

    @Override
    public boolean freesSpace() {
        return false;
    }

    @Override
    public boolean counts() {
        return false;
    }

    @Override
    public void heldBack(Optional<String> reason) {}

    @Override
    public Need next(MetadataView view) {
        Optional<Need.Rewrite> planned = planned();
        if (planned.isPresent()) {
            outstanding++;
            return planned.get();
        }
        if (walking && context.passed(PACE, pagedMillis)) {
            pagedMillis = context.nowMillis();
            page(view);
            return new Need.Turn();
        }
        if (!walking && outstanding == 0 && context.passed(settings.period(), walkedMillis)) {
            begin();
            return new Need.Turn();
        }
        return new Need.Nothing();
    }

    private Optional<Need.Rewrite> planned() {
        return batches.values().stream().flatMap(each -> each.next().stream()).findFirst();
    }

    private void begin() {
        walkedMillis = context.nowMillis();
        walking = true;
        batches.clear();
        cursor = Optional.of(new TreeCursor(InodeId.ROOT, true, List.of()));
    }

    private void page(MetadataView view) {
        TreeCursor walk = cursor.orElseThrow();
        walk.next(view.knownNamespace(), PAGE).forEach(met -> examine(view, met));
        if (walk.ended()) {
            walking = false;
            batches.values().forEach(RewriteBatches::closeSmall);
        }
    }

    private void examine(MetadataView view, TreeCursor.Met met) {
        Inode.File file = (Inode.File) met.file().body();
        if (!file.patches().isEmpty()) {
            return;
        }
        Duration age = Duration.ofMillis(
                Math.max(0, context.epochMillis() - met.file().attributes().modifiedMillis()));
        Optional<Policy> asked = file.open() ? Optional.empty() : ConversionRule.of(met.rules(), age);
        List<Extent> others = asked.map(policy -> others(view, file, policy)).orElse(List.of());
        if (!others.isEmpty()) {
            plan(view, met.file(), asked.get(), others);
            return;
        }
        Joining.of(view, file)
                .filter(joined ->
                        joined.places() >= Joining.MANY || (!file.open() && age.compareTo(settings.joinAfter()) >= 0))
                .ifPresent(joined -> plan(view, met.file(), joined.policy(), joined.extents()));
    }

    private static List<Extent> others(MetadataView view, Inode.File file, Policy policy) {
        return file.extents().stream()
                .filter(extent -> view.group(extent.group())
                        .filter(group -> !group.policy().equals(policy))
                        .isPresent())
                .toList();
    }

    private void plan(MetadataView view, Inode inode, Policy policy, List<Extent> extents) {
        if (sources.unreadable(view, extents).isEmpty()) {
            batches.computeIfAbsent(policy, RewriteBatches::new).plan(view, inode, extents);
        }
    }

    @Override
    public void putBack(Need.Rewrite rewrite) {
        outstanding--; // the next walk meets it again
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
