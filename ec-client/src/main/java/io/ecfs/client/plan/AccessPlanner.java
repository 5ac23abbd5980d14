package io.ecfs.client.plan;

import java.util.Optional;

/** Chooses what to read. The same question has the same answer. */
@FunctionalInterface
public interface AccessPlanner {
    /** @return empty when what does not stand at {@link Standing#FAILED} cannot give the wanted bytes */
    Optional<AccessPlan> plan(AccessQuestion question);
}
