package io.ecfs.torture.fault.driver;

import io.ecfs.torture.fault.Fault;
import io.ecfs.torture.fault.TortureSite;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.BooleanSupplier;

/**
 * Rounds of faults:
 *
 * <pre>
 *   one to three begin, one by one -- all last a while -- they end -- the cluster becomes whole -- calm -- next round
 * </pre>
 */
public final class FaultDriver {
    private static final int MOST_AT_ONCE = 3;
    private static final Duration LONGEST_GAP = Duration.ofSeconds(2);
    private static final Duration SHORTEST = Duration.ofMillis(500);
    private static final Duration LONGEST = Duration.ofSeconds(14);
    private static final Duration CALM = Duration.ofSeconds(2);

    private final TortureSite site;
    private final int losses;
    private final List<Fault> faults;
    private final SplittableRandom random;
    private final FaultLog log;
    private final Optional<String> rotten;
    private final Deque<Fault> waiting = new ArrayDeque<>();

    private record Begun(Fault fault, String victim, Fault.Inflicted inflicted) {}

    /**
     * @param losses m of the policy in use
     * @param faults the first pass takes them in this order
     */
    public FaultDriver(TortureSite site, int losses, List<Fault> faults, SplittableRandom random, FaultLog log) {
        this.site = site;
        this.losses = losses;
        this.faults = List.copyOf(faults);
        this.waiting.addAll(faults);
        this.random = random;
        this.log = log;
        this.rotten = Faults.rotten(faults) == 0
                ? Optional.empty()
                : Optional.of(
                        site.datanodes().get(random.nextInt(site.datanodes().size())));
    }

    /** Hurts the cluster while {@code goOn}; it is whole again when this returns. */
    public void run(BooleanSupplier goOn) throws IOException, InterruptedException {
        while (goOn.getAsBoolean() && !faults.isEmpty()) {
            round(goOn);
            log.note("event=waiting_until_whole");
            site.awaitWhole();
            log.note("event=whole");
            site.pause(CALM);
        }
    }

    private void round(BooleanSupplier goOn) throws IOException, InterruptedException {
        FaultBudget budget = new FaultBudget(site, losses, rotten, random);
        List<Begun> begun = new ArrayList<>();
        try {
            int wanted = 1 + random.nextInt(MOST_AT_ONCE);
            Set<Fault> refused = new LinkedHashSet<>();
            for (int tries = 0; tries < 2 * faults.size() && begun.size() < wanted && goOn.getAsBoolean(); tries++) {
                Fault fault = next();
                if (!begin(fault, budget, begun)) {
                    refused.add(fault);
                }
            }
            firstInTheNextRound(refused);
            site.pause(Duration.ofNanos(random.nextLong(SHORTEST.toNanos(), LONGEST.toNanos())));
        } finally {
            while (!begun.isEmpty()) {
                Begun last = begun.remove(random.nextInt(begun.size()));
                last.inflicted().end();
                log.ended(last.fault(), last.victim());
            }
        }
    }

    /** Every fault in turn, each further time in another order. */
    private Fault next() {
        if (waiting.isEmpty()) {
            waiting.addAll(Faults.shuffled(faults, random));
        }
        return waiting.poll();
    }

    /** Moves faults that did not fit beside others to the front, in their order: some need a round of their own. */
    private void firstInTheNextRound(Set<Fault> refused) {
        List<Fault> later =
                waiting.stream().filter(fault -> !refused.contains(fault)).toList();
        waiting.clear();
        waiting.addAll(refused);
        waiting.addAll(later);
    }

    /** @return false when the round has no room for it */
    private boolean begin(Fault fault, FaultBudget budget, List<Begun> begun) throws IOException, InterruptedException {
        Optional<String> victim = budget.take(fault, site::leader);
        if (victim.isEmpty()) {
            return false;
        }
        log.began(fault, victim.get());
        begun.add(new Begun(fault, victim.get(), fault.inflict(site, victim.get(), random)));
        site.pause(Duration.ofNanos(random.nextLong(LONGEST_GAP.toNanos())));
        return true;
    }
}
