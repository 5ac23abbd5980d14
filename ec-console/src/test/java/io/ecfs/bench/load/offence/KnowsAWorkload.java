package io.ecfs.bench.load.offence;

import io.ecfs.bench.WorkloadKind;

/** Reaches from what workloads are made of to one of them. */
public final class KnowsAWorkload {
    static String name(WorkloadKind kind) {
        return kind.name();
    }
}
