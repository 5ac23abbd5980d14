package io.ecfs.sim.cluster;

import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;

/**
 * Stands for the namenodes' elections: after a while without a leader that reaches a majority, one that does leads a
 * new term.
 */
public final class Elections {
    private static final Duration POLL_EVERY = Duration.ofMillis(500);
    private static final int MAX_LOOKS_WITHOUT_LEADER = 6;

    private final World world;
    private final Cluster cluster;
    private final SplittableRandom random;
    private int patience;

    public Elections(World world, Cluster cluster, SplittableRandom random) {
        this.world = world;
        this.cluster = cluster;
        this.random = random;
    }

    public void start() {
        poll();
    }

    private void poll() {
        if (leads()) {
            patience = random.nextInt(MAX_LOOKS_WITHOUT_LEADER);
        } else if (patience-- <= 0) {
            elect();
        }
        world.time().after(POLL_EVERY.toNanos(), this::poll);
    }

    private boolean leads() {
        return cluster.quorum()
                .leader()
                .filter(leader ->
                        connected().stream().anyMatch(namenode -> namenode.id().equals(leader)))
                .isPresent();
    }

    /** Another namenode takes over, if a majority can agree on it. */
    public void elect() {
        List<NamenodeHost> connected = connected();
        if (2 * connected.size() > cluster.namenodes().size()) {
            cluster.quorum()
                    .elect(connected.get(random.nextInt(connected.size())).id());
        }
    }

    private List<NamenodeHost> connected() {
        return cluster.namenodes().stream()
                .filter(namenode -> namenode.up() && !namenode.cut())
                .toList();
    }
}
