package io.ecfs.namenode.rewriting;

import io.ecfs.layout.InodeId;
import io.ecfs.layout.Policy;
import io.ecfs.message.namespace.RefusedFile;
import io.ecfs.namenode.context.NamenodeContext;
import io.ecfs.namenode.group.RewritePiece;
import io.ecfs.namenode.settings.RewriteSettings;
import io.ecfs.namenode.state.MetadataView;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A job without a request: it walks over facts page by page, round and round, and has rewritten what it finds. What
 * fails or changes meanwhile is met again by the next round.
 */
abstract class BackgroundJob implements RewriteJob {
    /** Time between two pages. */
    private static final Duration PACE = Duration.ofSeconds(1);

    final NamenodeContext context;
    final RewriteSettings settings;
    private final Map<Kind, RewriteBatches> batches = new LinkedHashMap<>();
    /** Pieces that are being rewritten. */
    private int outstanding;

    private long roundMillis;
    private Optional<Long> pageMillis = Optional.empty();

    private record Kind(Policy policy, RewriteReason reason) {}

    BackgroundJob(NamenodeContext context) {
        this.context = context;
        this.settings = context.settings().rewrite();
        this.roundMillis = context.nowMillis();
    }

    @Override
    public final boolean onlyCounts() {
        return false;
    }

    @Override
    public final void blocked(Optional<String> reason) {}

    @Override
    public final void adopted(MetadataView view, InodeId file, Optional<String> reason) {}

    @Override
    public final Need next(MetadataView view) {
        Optional<Need.Rewrite> planned =
                batches.values().stream().flatMap(each -> each.next().stream()).findFirst();
        if (planned.isPresent()) {
            outstanding += planned.get().pieces().size();
            return planned.get();
        }
        if (planOne(view)) {
            return new Need.Turn();
        }
        if (walking()) {
            if (pageMillis.isPresent() && !context.passed(PACE, pageMillis.get())) {
                return new Need.Nothing();
            }
            pageMillis = Optional.of(context.nowMillis());
            page(view);
            return new Need.Turn();
        }
        if (outstanding == 0 && context.passed(settings.period(), roundMillis)) {
            roundMillis = context.nowMillis();
            pageMillis = Optional.empty();
            batches.clear();
            begin(view);
            return new Need.Turn();
        }
        return new Need.Nothing();
    }

    /** Begins a round. */
    abstract void begin(MetadataView view);

    /** Returns whether pages of the round are left. */
    abstract boolean walking();

    /** Examines a page of the round. */
    abstract void page(MetadataView view);

    /** Plans the next rewrite of what the round has found, before the next page; false when there is none. */
    boolean planOne(MetadataView view) {
        return false;
    }

    /** To be rewritten under this policy. */
    final RewriteBatches to(Policy policy, RewriteReason reason) {
        return batches.computeIfAbsent(
                new Kind(policy, reason), kind -> new RewriteBatches(kind.policy(), kind.reason()));
    }

    final void closeBatches() {
        batches.values().forEach(RewriteBatches::closeSmall);
    }

    /** A file was not changed because it would be over its quota. */
    void refused(RefusedFile file) {}

    @Override
    public final void putBack(Need.Rewrite rewrite) {
        outstanding -= rewrite.pieces().size();
    }

    @Override
    public final void rewritten(MetadataView view, List<RewritePiece> pieces, List<RefusedFile> refused) {
        outstanding -= pieces.size();
        refused.forEach(this::refused);
    }

    @Override
    public final void notRewritten(MetadataView view, List<RewritePiece> pieces, String reason) {
        outstanding -= pieces.size();
    }
}
