package io.ecfs.kernel.offence;

import io.ecfs.datanode.offence.KnowsTheClient;

/** Reaches from one module over ec-common into another. */
public final class KnowsTheDatanode {
    public static KnowsTheClient other() {
        return new KnowsTheClient();
    }
}
