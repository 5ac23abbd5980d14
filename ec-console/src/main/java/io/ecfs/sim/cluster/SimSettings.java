package io.ecfs.sim.cluster;

import io.ecfs.layout.Policy;
import io.ecfs.sim.ring.RingWorld;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.stream.Stream;

/**
 * One world: what it is made of and what it has to endure. Everything follows from the seed.
 *
 * @param policies that files are written under
 * @param targets policies that files are converted to meanwhile; none: no file is converted
 * @param power what becomes of bytes that were not synced when a datanode goes down
 * @param operated somebody takes datanodes out of service and back; one may be out at the end
 * @param balanced chunks are moved from fuller volumes to emptier ones
 * @param moved chunks are moved to where they are read
 * @param updates of a hundred deeds, so many update a file in place or read one that is updated
 * @param twist what happens besides, in a few worlds
 * @param troubled how long faults come, before everything is healed
 * @param quiet how long the healed world has until it must have settled
 * @param ring one volume of each datanode takes turns in writing
 */
public record SimSettings(
        long seed,
        int namenodes,
        int datanodes,
        int clients,
        List<Policy> policies,
        List<Policy> targets,
        Power power,
        boolean operated,
        boolean balanced,
        boolean moved,
        int updates,
        Twist twist,
        Duration troubled,
        Duration quiet,
        Optional<RingWorld> ring) {

    /** Fate of bytes that were not synced, and the worth of an acknowledgement then. */
    public enum Power {
        /** Processes die, machines do not: what was acknowledged in any way stays. */
        KEPT,
        /** Any machine, and clients sync all that they write: it stays. */
        ALL_SYNCED,
        /**
         * One machine ever loses power, and no daemon is away for so long that it is given up: what was acknowledged in
         * any way stays, also in groups that were begun with the fewest chunks, which survive one loss.
         */
        LOST_BY_ONE,
        /** Any machine, a rack, or all of them at once: what was synced stays. */
        LOST_BY_ALL
    }

    /** A trouble that only a few worlds have, since it changes what they promise or leaves little time for others. */
    public enum Twist {
        NONE,
        /**
         * All namenodes' disks are put back to a copy of one of them: what was done since is forgotten, and old chunks
         * are not.
         */
        ROLLED_BACK,
        /**
         * A namenode meets an entry of the log that it cannot read, as one of an earlier release or on a bad disk does.
         */
        UNREADABLE_ENTRY,
        /** After all is settled some parity chunks get wrong bytes with right checksums, and datanodes are drained. */
        WRONG_PARITY,
        /**
         * Leases end under their writers, which write on: writers lose the namenodes, and others take their files over.
         */
        LOST_LEASES,
        /** All datanodes lose power in the middle of what they write, at the same one of their next changes. */
        LOST_IN_WRITES,
        /**
         * All datanodes lose power while writers are idle, and the writers vanish when their next flush is answered.
         */
        LOST_BETWEEN_FLUSHES,
        /** Bits flip on the disks of one datanode, which counts as away therefore. */
        ROTTEN_DISKS;

        /** Of every sixteen seeds one or two for each. */
        static Twist of(long seed) {
            return switch ((int) Math.floorMod(seed, 16L)) {
                case 1 -> ROLLED_BACK;
                case 6 -> UNREADABLE_ENTRY;
                case 11 -> WRONG_PARITY;
                case 9, 10 -> LOST_LEASES;
                case 4, 14 -> LOST_IN_WRITES;
                case 7 -> LOST_BETWEEN_FLUSHES;
                case 8, 12 -> ROTTEN_DISKS;
                default -> NONE;
            };
        }

        private Power power(Power drawn) {
            return switch (this) {
                case LOST_IN_WRITES, LOST_BETWEEN_FLUSHES -> Power.LOST_BY_ALL;
                case ROTTEN_DISKS -> Power.KEPT;
                case NONE, ROLLED_BACK, UNREADABLE_ENTRY, WRONG_PARITY, LOST_LEASES -> drawn;
            };
        }
    }

    private static final List<Power> POWERS = List.of(Power.KEPT, Power.LOST_BY_ONE, Power.LOST_BY_ALL);

    private static final List<List<String>> POLICIES = List.of(
            List.of("rs-3-2-4k"),
            List.of("rs-2-1-4k"),
            List.of("replication-3-4k"),
            List.of("rs-2-2-4k", "replication-3-4k"));

    /** For each of those, beside themselves: policies that survive as many losses. */
    private static final List<List<String>> OTHERS =
            List.of(List.of("rs-2-2-4k"), List.of("rs-3-1-4k"), List.of("rs-2-2-4k"), List.of());

    /** Of a hundred deeds where files are updated. */
    private static final int UPDATES = 50;

    /** One world in so many has a ring. */
    private static final int ONE_IN_A_RING = 30;

    /** Of a ring: as many as the longest of the policies has chunks. */
    private static final int COLOURS = 5;

    public static SimSettings of(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        int drawn = random.nextInt(POLICIES.size());
        List<String> policies = POLICIES.get(drawn);
        int clients = 2 + random.nextInt(2);
        Power power = POWERS.get(random.nextInt(POWERS.size()));
        boolean operated = random.nextInt(3) == 0;
        boolean balanced = random.nextInt(3) == 0;
        boolean converted = random.nextBoolean();
        boolean updated = random.nextInt(5) == 0;
        List<String> targets = Stream.concat(policies.stream(), OTHERS.get(drawn).stream())
                .filter(policy -> converted)
                .toList();
        boolean ringed = random.nextInt(ONE_IN_A_RING) == 0;
        SimSettings plain = new SimSettings(
                seed,
                3,
                6,
                clients,
                parsed(policies),
                parsed(targets),
                Twist.of(seed).power(power),
                operated,
                balanced,
                balanced,
                updated ? UPDATES : 0,
                Twist.of(seed),
                Duration.ofSeconds(20),
                Duration.ofSeconds(150),
                Optional.empty());
        return ringed ? plain.with(ring(random, plain.mayBeAway(), false)) : plain;
    }

    private static RingWorld ring(SplittableRandom random, int mostWriters, boolean everywhere) {
        return new RingWorld(
                COLOURS,
                1 + random.nextInt(mostWriters),
                Duration.ofMillis(1000 + 250 * random.nextInt(5)),
                random.nextInt(3) > 0,
                random.nextInt(4) == 0 ? 128 << 10 : 8 << 20,
                everywhere,
                random.nextInt(3) > 0);
    }

    /**
     * With a datanode for each colour, one more, and one for the spare. Nobody computes wrong parity: readers of a ring
     * take parity for what is on writers, so they would see it before a check finds it.
     */
    private SimSettings with(RingWorld wanted) {
        return new SimSettings(
                seed,
                namenodes,
                COLOURS + 2,
                clients,
                policies,
                targets,
                power,
                operated,
                balanced,
                moved,
                updates,
                twist == Twist.WRONG_PARITY ? Twist.NONE : twist,
                troubled,
                quiet,
                Optional.of(wanted));
    }

    /** All files lie in a ring, and else happens what happens in any world. */
    public static SimSettings ringed(long seed) {
        SimSettings any = of(seed);
        return any.with(ring(new SplittableRandom(seed), any.mayBeAway(), true));
    }

    /** A ring in peace but for what a {@link RingScenario} brings. */
    static SimSettings turning(long seed) {
        SimSettings quiet = updated(seed);
        boolean allSynced = seed % 2 == 1; // a journal in memory would stage nothing then
        RingWorld ring =
                new RingWorld(COLOURS, 2, Duration.ofSeconds(1), allSynced || seed % 4 == 0, 8 << 20, true, false);
        return new SimSettings(
                        seed,
                        3,
                        COLOURS + 2,
                        3,
                        List.of(Policy.parse(seed % 3 == 0 ? "replication-3-4k" : "rs-3-2-4k")),
                        List.of(),
                        allSynced ? Power.ALL_SYNCED : Power.KEPT,
                        false,
                        false,
                        false,
                        seed % 4 < 2 ? UPDATES : 0,
                        Twist.NONE,
                        Duration.ofSeconds(20),
                        quiet.quiet(),
                        Optional.empty())
                .with(ring);
    }

    private static List<Policy> parsed(List<String> policies) {
        return policies.stream().map(Policy::parse).toList();
    }

    /**
     * Where chunks are rebuilt and moved, in peace but for what a {@link CrashScenario} brings: three parities, so that
     * several may die; two where chunks are to come together, among more datanodes, since groups of five on seven share
     * enough of them from the first.
     */
    public static SimSettings plotted(long seed, CrashScenario plot) {
        boolean balanced = plot.cause() == CrashScenario.Cause.BALANCE;
        boolean reads = plot.cause() == CrashScenario.Cause.READS;
        return new SimSettings(
                seed,
                3,
                reads ? 10 : 7,
                2,
                List.of(Policy.parse(reads ? "rs-2-2-4k" : "rs-2-3-4k")),
                List.of(),
                seed % 2 == 1 ? Power.ALL_SYNCED : Power.KEPT,
                true,
                balanced,
                balanced || reads,
                0,
                Twist.NONE,
                Duration.ofSeconds(60),
                Duration.ofSeconds(150),
                Optional.empty());
    }

    /** Where stripes are relayed, in peace but for what a {@link RelayScenario} brings. */
    static SimSettings relayed(long seed) {
        return new SimSettings(
                seed,
                3,
                6,
                3,
                List.of(Policy.parse(seed % 3 == 0 ? "clay-2-2-3-4k" : "rs-2-2-4k")),
                List.of(),
                seed % 2 == 1 ? Power.ALL_SYNCED : Power.KEPT,
                false,
                false,
                false,
                0,
                Twist.NONE,
                Duration.ofSeconds(30),
                Duration.ofSeconds(150),
                Optional.empty());
    }

    /**
     * Where files are converted, there and back, in peace but for what a {@link RewriteScenario} brings: one datanode
     * more than the widest of the policies needs and may be away.
     */
    static SimSettings rewritten(long seed) {
        List<String> policies = seed % 3 == 0 ? List.of("clay-2-2-3-4k") : List.of("rs-3-2-4k", "replication-3-4k");
        return new SimSettings(
                seed,
                3,
                8,
                3,
                parsed(policies),
                parsed(List.of("rs-2-2-4k", policies.get(0))),
                seed % 2 == 1 ? Power.ALL_SYNCED : Power.KEPT,
                false,
                false,
                false,
                0,
                Twist.NONE,
                Duration.ofSeconds(12),
                Duration.ofSeconds(150),
                Optional.empty());
    }

    /** Where files are updated in place, in peace but for what an {@link UpdateScenario} brings. */
    static SimSettings updated(long seed) {
        return new SimSettings(
                seed,
                3,
                7,
                3,
                List.of(Policy.parse(seed % 3 == 0 ? "replication-3-4k" : "rs-3-2-4k")),
                List.of(),
                seed % 2 == 1 ? Power.ALL_SYNCED : Power.KEPT,
                false,
                false,
                false,
                100,
                Twist.NONE,
                Duration.ofSeconds(15),
                Duration.ofSeconds(150),
                Optional.empty());
    }

    /** Where nothing happens but what a fault experiment says. */
    public static SimSettings scripted(long seed, int namenodes, int datanodes, Policy policy) {
        return new SimSettings(
                seed,
                namenodes,
                datanodes,
                0,
                List.of(policy),
                List.of(),
                Power.KEPT,
                false,
                false,
                false,
                0,
                Twist.NONE,
                Duration.ZERO,
                Duration.ZERO,
                Optional.empty());
    }

    /** Returns whether files are converted meanwhile. */
    public boolean converted() {
        return !targets.isEmpty();
    }

    /** Returns whether some chunks may end earlier than the facts say, because their datanode lost power. */
    public boolean losesPower() {
        return power != Power.KEPT;
    }

    /** Returns whether an acknowledgement proves something only when it was synced. */
    public boolean onlySyncedStays() {
        return power == Power.LOST_BY_ALL || power == Power.ALL_SYNCED;
    }

    /**
     * Whether no daemon is away for so long that it is given up, since a group that was begun with the fewest chunks
     * survives one loss.
     */
    boolean patient() {
        return power == Power.LOST_BY_ONE || twist == Twist.ROTTEN_DISKS;
    }

    /** Number of datanodes that may be away at a time: as many as every policy survives. */
    public int mayBeAway() {
        return Stream.concat(policies.stream(), targets.stream())
                .mapToInt(policy -> policy.code().survivedLosses())
                .min()
                .orElseThrow();
    }
}
