package io.ecfs.fault.lab;

import io.ecfs.code.construction.Codes;
import io.ecfs.env.real.Poller;
import io.ecfs.error.EcfsException;
import io.ecfs.error.ErrorCode;
import io.ecfs.fault.inject.Hurt;
import io.ecfs.fault.inject.Injectors;
import io.ecfs.fault.inject.Undo;
import io.ecfs.fault.profile.FaultKind;
import io.ecfs.fault.profile.FaultProfile;
import io.ecfs.fault.profile.FaultStep;
import io.ecfs.fault.profile.Level;
import io.ecfs.fault.profile.VictimRule;
import io.ecfs.fault.profile.VictimSource;
import io.ecfs.fault.victim.FaultBudget;
import io.ecfs.fault.victim.Placement;
import io.ecfs.fault.victim.StoredVolume;
import io.ecfs.fault.victim.VictimChoice;
import io.ecfs.message.report.RepairTrace;
import java.io.IOException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Injects the faults of a profile into a lab, one after the other as the profile says, undoes each when its time is
 * over or when it is healed, and returns when all are undone.
 *
 * <pre>
 *   waiting -- its time, or its moment of a repair, and the budget covers it --> lasting -- over, or healed --> undone
 * </pre>
 */
final class Experiment {
    private static final Logger LOG = LoggerFactory.getLogger(Experiment.class);
    private static final Duration POLL_INTERVAL = Duration.ofMillis(50);
    /** Beside the grace, which the profile may set. */
    private static final Duration PATIENCE = Duration.ofMinutes(30);

    private final FaultProfile profile;
    private final Lab lab;
    private final Healing healing;
    private final Injectors injectors;
    private final Codes codes;
    private final SplittableRandom random;
    private final InstantSource clock;
    private final Consumer<String> doing;
    private final Poller sinceBegin = Poller.every(POLL_INTERVAL);
    private Poller sinceChange = sinceBegin;
    private final Deque<FaultStep> waiting = new ArrayDeque<>();
    private final List<LastingFault> lasting = new ArrayList<>();
    private final List<InjectedFault> undone = new ArrayList<>();

    /** @param random of this repetition */
    Experiment(
            FaultProfile profile,
            Lab lab,
            Healing healing,
            Codes codes,
            SplittableRandom random,
            InstantSource clock,
            Consumer<String> doing) {
        this.profile = profile;
        this.lab = lab;
        this.healing = healing;
        this.injectors = new Injectors(lab, random.split());
        this.codes = codes;
        this.random = random;
        this.clock = clock;
        this.doing = doing;
        waiting.addAll(profile.faults());
    }

    /**
     * Runs all faults.
     *
     * @return in the order in which they were undone
     * @throws EcfsException {@code TIMEOUT} when one is not healed; it is undone all the same
     */
    List<InjectedFault> run() throws IOException, InterruptedException {
        while (!waiting.isEmpty() || !lasting.isEmpty()) {
            if (!waiting.isEmpty() && due(waiting.peek())) {
                inject(waiting.remove());
            }
            if (profile.budget() == FaultProfile.Budget.BEYOND) {
                healing.watch();
            }
            for (LastingFault fault : List.copyOf(lasting)) {
                if (over(fault)) {
                    undo(fault);
                }
            }
            if (sinceChange.passed(PATIENCE) && !awaitsATime()) {
                throw new EcfsException(
                        ErrorCode.TIMEOUT,
                        "not healed after " + PATIENCE.toMinutes() + " minutes: " + names() + "; give the fault a time"
                                + " ('for: 60s'), or set a shorter namenode.settings.recovery.grace");
            }
            sinceBegin.pause();
        }
        return List.copyOf(undone);
    }

    /** Whether the next step begins, or a fault ends, at a time that the profile sets. */
    private boolean awaitsATime() {
        boolean begins = !waiting.isEmpty() && waiting.peek().at().isPresent();
        return begins
                || lasting.stream()
                        .anyMatch(fault -> profile.lasts(fault.step()).isPresent());
    }

    /** Faults that last, or those of which the cluster is not whole yet. */
    private String names() {
        Stream<String> names = lasting.isEmpty()
                ? undone.stream().map(fault -> name(fault.fault(), fault.victims()))
                : lasting.stream()
                        .map(fault -> name(fault.step().fault(), fault.hurt().names()));
        return names.collect(Collectors.joining(", "));
    }

    private static String name(FaultKind fault, List<String> victims) {
        return fault.word() + " of " + victims;
    }

    private boolean due(FaultStep step) throws IOException {
        if (step.follows()) {
            return lasting.isEmpty() && healing.readyForNext();
        }
        if (step.on().isPresent()) {
            return !lasting.isEmpty() && has(step.on().get());
        }
        return sinceBegin.passed(step.at().orElseThrow());
    }

    /** Whether a repair of what the last fault took away has come so far. */
    private boolean has(FaultStep.Moment moment) throws IOException {
        List<RepairTrace> ordered =
                healing.ordered(lasting.get(lasting.size() - 1).lastIncident());
        return !ordered.isEmpty()
                && switch (moment) {
                    case ORDERED -> true;
                    case HALF_WRITTEN -> lab.writingBytes() > 0;
                    case PUBLISHED ->
                        ordered.stream()
                                .anyMatch(repair -> repair.committedMillis().isPresent());
                };
    }

    private void inject(FaultStep step) throws IOException, InterruptedException {
        sinceChange = Poller.every(POLL_INTERVAL);
        doing.accept("injecting " + step.fault().word());
        Placement placement = lab.placement();
        Hurt hurt = choose(step, placement);
        requireBudget(placement, step, hurt);
        long lastIncident = healing.lastIncident();
        long injectedMillis = clock.millis();
        Undo undo = injectors.inject(step, hurt);
        Set<StoredVolume> away = away(step, hurt);
        lasting.add(new LastingFault(
                step,
                hurt,
                lab.lasting().push(name(step.fault(), hurt.names()), undo),
                injectedMillis,
                lastIncident,
                hurt.volumes().isEmpty() ? new TreeMap<>() : placement.lossesPerGroup(away),
                placement.leastSpare(away)));
        LOG.info("event=fault_begun fault={} victims={}", step.fault().word(), hurt.names());
        doing.accept(step.fault().word() + " of " + String.join(" ", hurt.names()));
    }

    private Hurt choose(FaultStep step, Placement placement) throws IOException {
        VictimRule rule = step.victims();
        if (rule.level() == Level.LEADER) {
            return Hurt.namenodes(List.of(lab.leader()));
        }
        if (rule.level() == Level.NAMENODE) {
            return Hurt.namenodes(followers(rule));
        }
        FaultBudget budget =
                new FaultBudget(profile.budget(), profile.workload().during());
        return Hurt.of(new VictimChoice(placement, budget, codes).choose(step, away(), hurt(), random));
    }

    private List<String> followers(VictimRule rule) throws IOException {
        List<String> followers = new ArrayList<>(lab.namenodes());
        if (rule.of().kind() == VictimSource.Kind.NAMES) {
            return rule.of().names();
        }
        followers.remove(lab.leader());
        lasting.forEach(fault -> followers.removeAll(fault.hurt().daemons()));
        while (followers.size() > rule.count()) {
            followers.remove(random.nextInt(followers.size()));
        }
        return followers;
    }

    /** A majority of the namenodes must stay, whatever the budget of chunks. */
    private void requireBudget(Placement placement, FaultStep step, Hurt hurt) throws EcfsException {
        Set<String> daemons = new HashSet<>(hurt.daemons());
        lasting.forEach(fault -> daemons.addAll(fault.hurt().daemons()));
        long namenodes = lab.namenodes().stream().filter(daemons::contains).count();
        if (namenodes > (lab.namenodes().size() - 1) / 2) {
            throw new EcfsException(
                    ErrorCode.INVALID_ARGUMENT,
                    namenodes + " of " + lab.namenodes().size() + " namenodes would be away, and none could lead: let"
                            + " the faults come one after the other");
        }
        Set<StoredVolume> away = away(step, hurt);
        Optional<String> refusal =
                new FaultBudget(profile.budget(), profile.workload().during()).refusal(placement, away);
        if (refusal.isPresent()) {
            throw new EcfsException(ErrorCode.INVALID_ARGUMENT, "beyond the budget: " + refusal.get());
        }
    }

    /** Volumes of all victims so far: nobody is hurt twice, or the end of one fault would be that of another. */
    private Set<StoredVolume> hurt() {
        Set<StoredVolume> hurt = new HashSet<>();
        lasting.forEach(fault -> hurt.addAll(fault.hurt().volumes()));
        return hurt;
    }

    /** Those of {@link #away()}, and what this fault takes away. */
    private Set<StoredVolume> away(FaultStep step, Hurt hurt) {
        Set<StoredVolume> away = away();
        away.addAll(away(step.fault(), hurt));
        return away;
    }

    private Set<StoredVolume> away(FaultKind fault, Hurt hurt) {
        Set<StoredVolume> away = new HashSet<>();
        if (fault.restartsDatanodes()) {
            lab.volumes().stream()
                    .filter(volume -> hurt.daemons().contains(volume.datanode()))
                    .forEach(away::add);
        } else if (fault.takesChunksAway()) {
            away.addAll(hurt.volumes());
        }
        return away;
    }

    /** Volumes that are hurt and may lack chunks. */
    private Set<StoredVolume> away() {
        Set<StoredVolume> away = new HashSet<>();
        lasting.forEach(fault -> away.addAll(away(fault.step().fault(), fault.hurt())));
        return away;
    }

    private boolean over(LastingFault fault) throws IOException {
        Optional<Duration> lasts = profile.lasts(fault.step());
        boolean lastOfItsTime = waiting.isEmpty() || waiting.peek().follows();
        return lasts.isPresent()
                ? clock.millis() - fault.injectedMillis() >= lasts.get().toMillis()
                : lastOfItsTime && healing.healed(fault.hurt().daemons(), fault.lastIncident());
    }

    private void undo(LastingFault fault) throws IOException, InterruptedException {
        sinceChange = Poller.every(POLL_INTERVAL);
        doing.accept("undoing " + fault.step().fault().word() + " of "
                + String.join(" ", fault.hurt().names()));
        fault.undo().run();
        LOG.info(
                "event=fault_ended fault={} victims={}",
                fault.step().fault().word(),
                fault.hurt().names());
        lasting.remove(fault);
        undone.add(fault.undoneAt(clock.millis()));
    }
}
