package io.ecfs.namenode.rewriting;

import io.ecfs.message.report.ClusterEvent;
import io.ecfs.message.report.Conversion;
import io.ecfs.message.report.Conversion.State;
import io.ecfs.message.report.IncidentCause;
import io.ecfs.namenode.command.Command;
import io.ecfs.namenode.context.EventRecorder;
import io.ecfs.namenode.context.NamenodeContext;
import io.ecfs.namenode.context.Outcome;
import io.ecfs.namenode.context.Proposer;
import io.ecfs.namenode.group.ConversionFacts;
import io.ecfs.namenode.state.MetadataView;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * The conversions that have not ended: those of the facts, each with the job that executes it under this leader.
 * Records their progress and their ends in the log, and opens an incident while files are converted. Owner thread: the
 * namenode's event thread.
 */
public final class ActiveConversions {
    /** Time after which the progress of a conversion is recorded. */
    private static final Duration RECORDED = Duration.ofSeconds(30);

    private final NamenodeContext context;
    private final Proposer proposer;
    private final EventRecorder recorder;
    private final RewriteSources sources;
    private final Map<Long, FileConversion> jobs = new TreeMap<>();
    /** Conversions of which an entry is under way. */
    private final Set<Long> recording = new HashSet<>();

    private boolean incident;
    private long recordedMillis;

    ActiveConversions(NamenodeContext context, Proposer proposer, EventRecorder recorder, RewriteSources sources) {
        this.context = context;
        this.proposer = proposer;
        this.recorder = recorder;
        this.sources = sources;
        this.recordedMillis = context.nowMillis();
    }

    /** Begins, pauses, resumes and ends jobs as the facts have it. */
    void update(MetadataView view) {
        Map<Long, ConversionFacts> going = new TreeMap<>();
        for (ConversionFacts facts : view.conversions()) {
            if (!facts.known().state().ended()) {
                going.put(facts.job(), facts);
            }
        }
        jobs.keySet().retainAll(going.keySet());
        going.forEach((job, facts) -> jobs.computeIfAbsent(
                        job, each -> new FileConversion(facts, context::nowMillis, sources))
                .pause(facts.known().state() == State.PAUSED));
    }

    /** Those that are not paused. */
    List<FileConversion> going() {
        return jobs.values().stream().filter(FileConversion::going).toList();
    }

    /** Conversions of a user, of all when it is empty: as they are now, and those that ended last. */
    public List<Conversion> report(Optional<String> user) {
        try (MetadataView view = context.facts().get()) {
            return view.conversions().stream()
                    .map(ConversionFacts::known)
                    .filter(known -> user.map(known.user()::equals).orElse(true))
                    .map(known -> Optional.ofNullable(jobs.get(known.job()))
                            .filter(live -> !known.state().ended())
                            .map(FileConversion::report)
                            .orElse(known))
                    .toList();
        }
    }

    /** Returns whether files are converted at the moment, or were at the last step: then their incident goes on. */
    public boolean converting() {
        return incident || jobs.values().stream().anyMatch(FileConversion::converts);
    }

    /** The number of them, paused ones included. */
    public int count() {
        return jobs.size();
    }

    /** Records progress, now and then. */
    void tick() {
        if (context.passed(RECORDED, recordedMillis)) {
            recordedMillis = context.nowMillis();
            jobs.values().stream().filter(FileConversion::advanced).forEach(each -> record(each, Optional.empty()));
        }
    }

    /**
     * Opens an incident when files are converted and were not before.
     *
     * @param underWay whether groups are still written for a conversion, though it may be paused: they belong to its
     *     incident
     */
    void openIncident(boolean underWay) {
        boolean converts = underWay || jobs.values().stream().anyMatch(FileConversion::converts);
        if (converts && !incident) {
            long now = context.epochMillis();
            recorder.note(new ClusterEvent.IncidentOpened(IncidentCause.rewritten(), now, now));
        }
        incident = converts;
    }

    /** Records the ends of the jobs that have ended. */
    void recordEnds() {
        jobs.values().forEach(each -> each.end().ifPresent(end -> record(each, Optional.of(end))));
    }

    private void record(FileConversion conversion, Optional<State> end) {
        Conversion now = conversion.report();
        if (recording.add(now.job())) {
            proposer.propose(
                    new Command.RecordConversion(
                            context.epochMillis(), now.job(), now.progress(), now.firstFailure(), end),
                    outcome -> {
                        recording.remove(now.job());
                        if (outcome instanceof Outcome.Failed) {
                            return;
                        }
                        conversion.recorded(now.progress());
                        if (end.isPresent()) {
                            jobs.remove(now.job());
                        }
                    });
        }
    }
}
