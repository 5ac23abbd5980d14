package io.ecfs.namenode.rewriting;

import io.ecfs.error.EcfsException;
import io.ecfs.error.ErrorCode;
import io.ecfs.layout.GroupId;
import io.ecfs.layout.Policy;
import io.ecfs.message.DatanodeId;
import io.ecfs.message.FeatureLevel;
import io.ecfs.message.VolumeId;
import io.ecfs.message.chunk.ChunkChange;
import io.ecfs.message.datanode.DatanodeOrder;
import io.ecfs.message.report.ClusterEvent;
import io.ecfs.message.report.Conversion;
import io.ecfs.message.report.Conversion.State;
import io.ecfs.message.report.IncidentCause;
import io.ecfs.namenode.command.Command;
import io.ecfs.namenode.context.ClusterView;
import io.ecfs.namenode.context.EventRecorder;
import io.ecfs.namenode.context.Locator;
import io.ecfs.namenode.context.NamenodeContext;
import io.ecfs.namenode.context.Outcome;
import io.ecfs.namenode.context.Proposer;
import io.ecfs.namenode.group.ConversionFacts;
import io.ecfs.namenode.health.HealthSurvey;
import io.ecfs.namenode.placement.Placement;
import io.ecfs.namenode.state.MetadataView;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Predicate;

/**
 * Rewriting of files, on the leader: conversions that operators asked for, as the facts have them, and what is done
 * without being asked for. Its jobs take turns; nothing is rewritten while chunks are reconstructed. Owner thread: the
 * namenode's event thread.
 */
public final class Rewriting {
    /** Time after which the progress of a conversion is recorded. */
    private static final Duration RECORDED = Duration.ofSeconds(30);

    private final NamenodeContext context;
    private final Proposer proposer;
    private final HealthSurvey survey;
    private final EventRecorder recorder;
    private final BooleanSupplier reconstructing;
    private final Sources sources;
    private final GroupRewrites rewrites;
    private final List<RewriteJob> background;
    private final Map<Long, FileConversion> conversions = new TreeMap<>();
    /** Conversions of which an entry is under way. */
    private final Set<Long> recording = new HashSet<>();

    private int turn;
    private boolean incident;
    private boolean goesOn;
    private boolean stopped;
    private long recordedMillis;

    /**
     * @param stamp of the groups of this term
     * @param reconstructing whether lost chunks are being rebuilt
     * @param suspected whether chunks of a group contradict each other
     * @param ordered receives each datanode that has a fresh order
     */
    public Rewriting(
            NamenodeContext context,
            ClusterView cluster,
            Proposer proposer,
            HealthSurvey survey,
            Locator locator,
            EventRecorder recorder,
            int stamp,
            BooleanSupplier reconstructing,
            Predicate<GroupId> suspected,
            Consumer<DatanodeId> ordered) {
        this.context = context;
        this.proposer = proposer;
        this.survey = survey;
        this.recorder = recorder;
        this.reconstructing = reconstructing;
        this.recordedMillis = context.nowMillis();
        sources = new Sources(cluster, survey, suspected);
        rewrites = new GroupRewrites(
                context, cluster, proposer, locator, recorder, sources, stamp, ordered, this::goOnSoon);
        background = List.of(new Cleaning(context, sources), new Sweep(context, sources));
    }

    /** Ends the term. What datanodes have under way is aborted by the next leader, which goes on with conversions. */
    public void stop() {
        stopped = true;
        rewrites.stop();
    }

    /**
     * Checks whether files can be converted to a policy.
     *
     * @throws EcfsException {@code INVALID_ARGUMENT} when the cluster has too few datanodes for it, {@code UNSUPPORTED}
     */
    public void requireConvertible(Policy policy) throws EcfsException {
        try (MetadataView view = context.facts().get()) {
            if (view.levelInForce() < FeatureLevel.REWRITES) {
                throw new EcfsException(
                        ErrorCode.UNSUPPORTED,
                        "conversions take feature level " + FeatureLevel.REWRITES + ", in force is "
                                + view.levelInForce() + ": 'ecfs admin finalize-upgrade' raises it");
            }
        }
        Placement.Choice room = rewrites.room(policy, false);
        if (room.volumes().size() < policy.chunks()) {
            throw new EcfsException(
                    ErrorCode.INVALID_ARGUMENT,
                    policy + " needs " + policy.chunks() + " datanodes: " + room.explain()
                            + "; choose a policy with fewer chunks, or add datanodes");
        }
    }

    /** The facts have another conversion, or one was paused, resumed or cancelled. */
    public void changed() {
        try (MetadataView view = context.facts().get()) {
            compare(view);
        }
        goOnSoon();
    }

    private void compare(MetadataView view) {
        Map<Long, ConversionFacts> going = new TreeMap<>();
        for (ConversionFacts facts : view.conversions()) {
            if (!facts.known().state().ended()) {
                going.put(facts.job(), facts);
            }
        }
        conversions.keySet().retainAll(going.keySet());
        going.forEach((job, facts) -> conversions
                .computeIfAbsent(job, each -> new FileConversion(facts, context::nowMillis, sources))
                .pause(facts.known().state() == State.PAUSED));
    }

    /** Conversions of a user, of all when it is empty: as they are now, and those that ended last. */
    public List<Conversion> report(Optional<String> user) {
        try (MetadataView view = context.facts().get()) {
            return view.conversions().stream()
                    .map(ConversionFacts::known)
                    .filter(known -> user.map(known.user()::equals).orElse(true))
                    .map(known -> Optional.ofNullable(conversions.get(known.job()))
                            .filter(live -> !known.state().ended())
                            .map(FileConversion::report)
                            .orElse(known))
                    .toList();
        }
    }

    /** Returns whether files are converted at the moment. */
    public boolean converting() {
        return conversions.values().stream().anyMatch(FileConversion::converts);
    }

    /** The number of conversions that have not ended. */
    public int underWay() {
        return conversions.size();
    }

    /** What was rewritten in this term. */
    public RewriteTotals totals() {
        return rewrites.totals();
    }

    public void tick() {
        rewrites.tick();
        try (MetadataView view = context.facts().get()) {
            if (view.levelInForce() < FeatureLevel.REWRITES) {
                return;
            }
            compare(view);
        }
        if (context.passed(RECORDED, recordedMillis)) {
            recordedMillis = context.nowMillis();
            conversions.values().stream()
                    .filter(FileConversion::advanced)
                    .forEach(each -> record(each, Optional.empty()));
        }
        goOn();
    }

    private void goOnSoon() {
        if (!goesOn) {
            goesOn = true;
            context.scheduler().execute(() -> {
                goesOn = false;
                if (!stopped) {
                    goOn();
                }
            });
        }
    }

    /** One step of each job, another one first each time; they go on when others have had their turn. */
    private void goOn() {
        if (stopped || !rewrites.ready()) {
            return;
        }
        List<RewriteJob> jobs = new ArrayList<>(background);
        conversions.values().stream().filter(FileConversion::going).forEach(jobs::add);
        Collections.rotate(jobs, -(turn++ % jobs.size()));
        try (MetadataView view = context.facts().get()) {
            jobs.forEach(job -> step(view, job));
        }
        noteIncident();
        conversions
                .values()
                .forEach(conversion -> conversion.end().ifPresent(end -> record(conversion, Optional.of(end))));
    }

    private void step(MetadataView view, RewriteJob job) {
        boolean counts = job.onlyCounts();
        Optional<String> held = counts ? Optional.empty() : heldBack();
        job.heldBack(held);
        if (held.isPresent() || (!counts && !rewrites.free())) {
            return;
        }
        Need need = job.next(view);
        boolean goes = !(need instanceof Need.Nothing);
        if (need instanceof Need.Rewrite rewrite) {
            goes = rewrites.begin(view, job, rewrite); // without room the next tick tries again
        } else if (need instanceof Need.Adoption adoption) {
            rewrites.adopt(job, adoption);
        }
        if (goes) {
            goOnSoon();
        }
    }

    private void noteIncident() {
        boolean converts = converting();
        if (converts && !incident) {
            long now = context.epochMillis();
            recorder.note(new ClusterEvent.IncidentOpened(IncidentCause.rewritten(), now, now));
        }
        incident = converts;
    }

    private Optional<String> heldBack() {
        if (!survey.firstPassDone()) {
            return Optional.of("the leader compares chunks with the facts first");
        }
        return reconstructing.getAsBoolean() ? Optional.of("lost chunks are reconstructed first") : Optional.empty();
    }

    private void record(FileConversion conversion, Optional<State> end) {
        Conversion now = conversion.report();
        if (recording.add(now.job())) {
            proposer.propose(
                    new Command.RecordConversion(
                            context.epochMillis(), now.job(), now.progress(), now.firstFailure(), end),
                    outcome -> {
                        recording.remove(now.job());
                        if (end.isPresent() && !(outcome instanceof Outcome.Failed)) {
                            conversions.remove(now.job());
                        }
                    });
        }
    }

    /** Orders for a volume's datanode. */
    public List<DatanodeOrder> orders(VolumeId volume) {
        return rewrites.orders(volume);
    }

    /** Orders for a datanode that were not sent yet; they count as sent now. */
    public List<DatanodeOrder> freshOrders(DatanodeId datanode) {
        return rewrites.freshOrders(datanode);
    }

    /** Checks whether a report answers an order. */
    public void reported(ChunkChange change) {
        rewrites.reported(change);
    }
}
