package io.ecfs.torture.fault;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;

/** Targets left in a round: at most m datanodes, a minority of the namenodes, any client; each once. */
final class FaultBudget {
    private final TortureSite site;
    private final SplittableRandom random;
    private final Set<String> hurt = new HashSet<>();
    private final Optional<String> rotten;
    private int datanodesLeft;
    private int namenodesLeft;
    private boolean untouched = true;
    private boolean rottenTaken;
    private boolean closed;

    /**
     * @param losses m of the policy in use
     * @param rotten datanode with wrong bytes, which counts among them in every round
     */
    FaultBudget(TortureSite site, int losses, Optional<String> rotten, SplittableRandom random) {
        this.site = site;
        this.random = random;
        this.rotten = rotten;
        this.datanodesLeft = losses - (rotten.isPresent() ? 1 : 0);
        rotten.ifPresent(hurt::add);
        this.namenodesLeft = (site.namenodes().size() - 1) / 2;
    }

    /** Finds the namenode that leads, which may take a while. */
    interface Leader {
        String find() throws IOException, InterruptedException;
    }

    /**
     * Takes the target of this fault; empty when the budget is used up.
     *
     * @param leader not searched for when no namenode may be a target: after a fault that ended all daemons none leads
     */
    Optional<String> take(Fault fault, Leader leader) throws IOException, InterruptedException {
        Optional<String> victim = closed ? Optional.empty() : choose(fault.victim(), leader);
        victim.ifPresent(id -> {
            hurt.add(id);
            untouched = false;
        });
        return victim;
    }

    private Optional<String> choose(Fault.Victim victim, Leader leader) throws IOException, InterruptedException {
        return switch (victim) {
            case DATANODE -> datanodesLeft-- > 0 ? any(site.datanodes()) : Optional.empty();
            case NAMENODE -> namenodesLeft-- > 0 ? any(site.namenodes()) : Optional.empty();
            case LEADER -> namenodesLeft-- > 0 ? any(List.of(leader.find())) : Optional.empty();
            case ROTTEN -> {
                Optional<String> left = rottenTaken ? Optional.empty() : rotten;
                rottenTaken = true;
                yield left;
            }
            case NO_MACHINE -> Optional.of("none");
            case CLIENT -> any(site.clients());
            case ALL -> {
                closed = untouched;
                yield untouched ? Optional.of("all") : Optional.empty();
            }
        };
    }

    private Optional<String> any(List<String> ids) {
        List<String> left = new ArrayList<>(ids);
        left.removeAll(hurt);
        return left.isEmpty() ? Optional.empty() : Optional.of(left.get(random.nextInt(left.size())));
    }
}
