package io.ecfs.namenode.health;

import io.ecfs.code.ChunkSet;
import io.ecfs.layout.GroupId;
import io.ecfs.namenode.cluster.ClusterIdentity;
import io.ecfs.namenode.context.ClusterView;
import io.ecfs.namenode.context.NamenodeContext;
import io.ecfs.namenode.group.GroupFacts;
import io.ecfs.namenode.state.MetadataView;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps a new leader from taking writes before it knows its cluster: until the cluster is formatted, enough datanodes
 * are live and nearly all sealed groups have k chunks reported, except those that no awaited volume can restore;
 * then, if this namenode has only just started, a little longer for the other registered datanodes, so that the first
 * groups can be placed.
 *
 * <pre>
 *   WAITING --enough reported--> EXTENDING --all datanodes live, or enough time since the start--> OFF (for the term)
 *   EXTENDING --no longer enough--> WAITING
 * </pre>
 *
 * Owner thread: the namenode's event thread.
 */
public final class SafeMode {
    private static final Logger LOG = LoggerFactory.getLogger(SafeMode.class);

    private enum Stage {
        WAITING,
        EXTENDING,
        OFF
    }

    /** Groups that are lost for good and do not count, at most. */
    private static final int MOST_HOPELESS = 100;

    private static final int LOOKED_AT = 1000;

    private final NamenodeContext context;

    private final ClusterView cluster;
    private final HealthSurvey survey;
    private Stage stage = Stage.WAITING;
    private String reason = "the leader has just begun";

    public SafeMode(NamenodeContext context, ClusterView cluster, HealthSurvey survey) {
        this.context = context;
        this.cluster = cluster;
        this.survey = survey;
    }

    public boolean on() {
        check();
        return stage != Stage.OFF;
    }

    /** The reason why writes are rejected, with the progress; empty when they are not. */
    public String reason() {
        return on() ? reason : "";
    }

    public void check() {
        if (stage == Stage.OFF) {
            return;
        }
        Optional<String> missing = missing();
        if (missing.isPresent()) {
            move(Stage.WAITING, missing.get());
            return;
        }
        long live = cluster.healthyDatanodes();
        long registered = cluster.topology().datanodes().size();
        String progress = live + " of " + registered + " registered datanodes are live";
        move(Stage.EXTENDING, progress + "; the others are awaited for a few seconds after the start");
        boolean all = live > 0 && live >= registered && live >= defaultChunks();
        if (all
                || context.passed(
                        context.settings().safeModeExtension(), cluster.table().startedMillis())) {
            move(Stage.OFF, progress);
        }
    }

    private Optional<String> missing() {
        if (identity().isEmpty()) {
            return Optional.of("the cluster is being formatted");
        }
        if (!survey.caughtUp()) {
            return Optional.of("the leader is still comparing reports with the facts");
        }
        long live = cluster.healthyDatanodes();
        int needed = context.settings().safeModeDatanodes();
        HealthSurvey.Counts counts = survey.counts();
        if (counts.sealed() == 0) {
            return Optional.empty();
        }
        long ready = counts.sealed() - counts.lost();
        long threshold = (long) Math.ceil(context.settings().safeModeThreshold() * counts.sealed());
        return live >= needed && (nothingElseCanCome() || enough(threshold - ready))
                ? Optional.empty()
                : Optional.of(ready + " of " + counts.sealed() + " groups have enough chunks reported, " + threshold
                        + " are needed; " + live + " datanodes are live, " + needed
                        + " are needed; waiting for " + awaited() + " volumes: start their datanodes, or lower"
                        + " settings.safeModeThreshold to go on without them");
    }

    /**
     * Returns whether groups that lack chunks now lack them for good: rejecting writes and deletes saves nothing then.
     */
    private boolean nothingElseCanCome() {
        return awaited() == 0;
    }

    /**
     * Returns whether no more groups are missing than are lost whatever the awaited volumes have: waiting cannot
     * restore those. Checks a few of them only, since every rejected call asks this.
     */
    private boolean enough(long missing) {
        if (missing <= 0 || missing > MOST_HOPELESS) {
            return missing <= 0;
        }
        try (MetadataView view = context.facts().get()) {
            return survey.damagedFrom(true, new GroupId(1), LOOKED_AT).stream()
                            .flatMap(lost -> view.group(lost).stream())
                            .filter(this::hopeless)
                            .limit(missing)
                            .count()
                    == missing;
        }
    }

    private boolean hopeless(GroupFacts group) {
        ChunkSet awaited = ChunkSet.of(group.stored().stream()
                .filter(stored -> !cluster.reportComplete(stored.volume()))
                .map(stored -> stored.chunk().index())
                .toList());
        return !group.policy().code().decodable(cluster.live(group).union(awaited));
    }

    private long awaited() {
        return cluster.topology().volumes().stream()
                .filter(volume -> !cluster.reportComplete(volume))
                .count();
    }

    private int defaultChunks() {
        return identity().map(i -> i.defaultPolicy().chunks()).orElse(0);
    }

    private Optional<ClusterIdentity> identity() {
        try (MetadataView view = context.facts().get()) {
            return view.identity();
        }
    }

    private void move(Stage next, String because) {
        reason = because;
        if (stage != next) {
            LOG.info("event=safe_mode from={} to={} reason=\"{}\"", stage, next, because);
            stage = next;
        }
    }
}
