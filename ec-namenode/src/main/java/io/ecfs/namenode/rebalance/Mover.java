package io.ecfs.namenode.rebalance;

import io.ecfs.env.Randomness;
import io.ecfs.layout.GroupId;
import io.ecfs.message.DatanodeId;
import io.ecfs.namenode.settings.MoverSettings;
import io.ecfs.namenode.settings.MoverWeights;
import io.ecfs.namenode.stats.AccessWindow;
import java.time.Duration;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Decisions of the mover, with the memory of recent moves. Its owner carries the moves out: the leader of a cluster,
 * or a test bed.
 *
 * <pre>
 *   waits? may? --no--> later
 *        | best(..) --nothing begun--> nothingBegun: rest
 *        `--> began(move) --> ended(move, moved) --a while later--> realised
 * </pre>
 *
 * Times are monotonic milliseconds. Owned by the thread of its owner.
 */
public final class Mover {
    /** Pause after an evaluation that found nothing worth a move. */
    private static final Duration REST = Duration.ofSeconds(5);

    /** Statistics are stale when no access was reported for this time. */
    private static final Duration FRESH = Duration.ofMinutes(1);

    /** Requests within less time count as if they took this long: a burst is no lasting load. */
    private static final Duration SHORTEST = Duration.ofMinutes(1);

    private static final double MILLIS = 1000;

    private final MoverSettings settings;
    private final MovePace pace;
    private final MoveMemory memory = new MoveMemory();
    private final Set<GroupId> underWay = new HashSet<>();
    private Optional<Long> restsSince = Optional.empty();
    private long vetoed;

    public Mover(MoverSettings settings) {
        this.settings = settings;
        this.pace = new MovePace(settings.chunksPerSecond(), settings.bandwidthShare(), settings.leastBytesPerSecond());
    }

    /** Where chunks may lie. */
    @FunctionalInterface
    public interface Rule {
        /** Returns whether the datanode has a volume on which the chunk of an index may lie. */
        boolean allows(GroupId group, int index, DatanodeId datanode);
    }

    /**
     * Input of one decision.
     * @param sites datanodes that reported their load
     */
    public record Sight(
            List<MoverSite> sites, AccessWindow window, PlacementSnapshot.Blocks blocks, Rule rule, long nowMillis) {
        /** Any chunk may lie on any datanode. */
        public Sight(List<MoverSite> sites, AccessWindow window, PlacementSnapshot.Blocks blocks, long nowMillis) {
            this(sites, window, blocks, (group, index, datanode) -> true, nowMillis);
        }

        public Sight {
            sites = List.copyOf(sites);
        }

        private double seconds() {
            return window.spanMillis(nowMillis) / MILLIS;
        }
    }

    /** The reason why no move can be chosen now; empty when one can. */
    public Optional<String> waits(Sight sight) {
        AccessWindow window = sight.window();
        long nowMillis = sight.nowMillis();
        if (window.requests() == 0 || nowMillis - window.lastMillis() > FRESH.toMillis()) {
            return Optional.of("no access was reported for " + FRESH.toSeconds() + " s");
        } else if (requestsPerSecond(window, nowMillis) < settings.leastRequestsPerSecond()) {
            return Optional.of("clients make fewer than mover.leastRequestsPerSecond = "
                    + settings.leastRequestsPerSecond() + " requests a second");
        } else if (waitNanos(sight.sites()) < settings.leastWaitNanos()) {
            return Optional.of("reads wait for their turn less than mover.leastWaitNanos = " + settings.leastWaitNanos()
                    + " at three datanodes of four");
        } else if (restsSince.filter(at -> nowMillis - at < REST.toMillis()).isPresent()) {
            return Optional.of("no move that gains anything could be begun a moment ago");
        }
        return Optional.empty();
    }

    /**
     * The wait that three datanodes of four do not exceed. Without waiting, a request is faster the more datanodes it
     * reads from: bringing its chunks together would take time, not save it.
     */
    private double waitNanos(List<MoverSite> sites) {
        double[] overheads =
                sites.stream().mapToDouble(MoverSite::overheadNanos).sorted().toArray();
        return overheads.length == 0 ? 0 : overheads[(3 * overheads.length - 1) / 4] - settings.overheadNanos();
    }

    private static double requestsPerSecond(AccessWindow window, long nowMillis) {
        return window.weight() * MILLIS / Math.max(SHORTEST.toMillis(), window.spanMillis(nowMillis));
    }

    /** Returns whether the pace allows a move now. */
    public boolean may(long nowMillis) {
        return pace.may(nowMillis);
    }

    /** The moves that gain, those first that gain most; at most one of a group. */
    public List<Relocation> best(Sight sight, Randomness random) {
        return choice(sight).best(random, least(), new Hysteresis(sight, true));
    }

    /** Evaluates moves as {@link #best} does and records nothing. */
    public List<Relocation> dryRun(Sight sight, Randomness random) {
        return choice(sight).best(random, least(), new Hysteresis(sight, false));
    }

    /** The gain that a move must exceed. */
    private MoveChoice.Least least() {
        return new MoveChoice.Least(settings.leastGain(), settings.standardErrors());
    }

    /** Records that none of the best moves could be begun, or there were none. */
    public void nothingBegun(long nowMillis) {
        restsSince = Optional.of(nowMillis);
    }

    /** @param sites as in {@link Sight} */
    public void began(Relocation move, Collection<MoverSite> sites, long nowMillis) {
        memory.began(move, find(sites, move.from(), nowMillis), find(sites, move.to(), nowMillis), nowMillis);
        pace.moved(
                move.bytes(),
                sites.stream().mapToDouble(MoverSite::bytesPerSecond).sum(),
                nowMillis);
        underWay.add(move.group());
    }

    /** Records a move of an earlier leader, as in {@link MoveMemory#earlier}. */
    public void earlier(GroupId group, int index, DatanodeId from, long atMillis) {
        memory.earlier(group, index, from, atMillis);
    }

    /** @param moved false: it failed */
    public void ended(Relocation move, boolean moved) {
        underWay.remove(move.group());
        if (!moved) {
            memory.failed(move);
        }
    }

    /** The gain of a completed move by present knowledge; see {@link MoveChoice#realised}. */
    public Optional<Double> realised(Sight sight, Relocation made) {
        return choice(sight).realised(made);
    }

    /** Number of evaluated moves that were too soon after an earlier one. */
    public long vetoed() {
        return vetoed;
    }

    private MoveChoice choice(Sight sight) {
        List<MoverSite> sites = sight.sites().stream()
                .map(site -> memory.foreseen(site, sight.nowMillis()))
                .toList();
        double exchanged =
                sites.stream().mapToDouble(MoverSite::bytesPerSecond).average().orElse(0);
        return new MoveChoice(
                new PlacementSnapshot(sites, settings.overheadNanos(), settings.perByteNanos()),
                sight.window(),
                sight.seconds(),
                sight.blocks(),
                exchanged < settings.leastBytesPerSecond()
                        ? new MoverWeights(settings.weights().access(), 0)
                        : settings.weights(),
                MoveChoice.Effort.USUAL);
    }

    private Optional<MoverSite> find(Collection<MoverSite> sites, DatanodeId datanode, long nowMillis) {
        return sites.stream()
                .filter(site -> site.datanode().equals(datanode))
                .map(site -> memory.foreseen(site, nowMillis))
                .findFirst();
    }

    private final class Hysteresis implements MoveChoice.Limits {
        private final long nowMillis;
        private final Rule rule;
        private final boolean remembers;

        Hysteresis(Sight sight, boolean remembers) {
            this.nowMillis = sight.nowMillis();
            this.rule = sight.rule();
            this.remembers = remembers;
        }

        @Override
        public boolean forbids(GroupId group, int index, MoverSite from, MoverSite to) {
            return !rule.allows(group, index, to.datanode())
                    || counted(memory.forbids(group, index, from, to, nowMillis));
        }

        @Override
        public boolean refuses(Relocation move) {
            return counted(memory.refuses(move, settings.leastGain(), nowMillis));
        }

        private boolean counted(boolean veto) {
            vetoed += veto && remembers ? 1 : 0;
            return veto;
        }

        @Override
        public boolean rests(GroupId group) {
            return underWay.contains(group) || memory.rests(group, nowMillis);
        }

        @Override
        public void nothingToGain(GroupId group) {
            if (remembers) {
                memory.nothingToGain(group, nowMillis);
            }
        }
    }
}
