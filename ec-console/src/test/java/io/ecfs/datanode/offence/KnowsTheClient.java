package io.ecfs.datanode.offence;

import io.ecfs.client.offence.KnowsTheDatanode;

/** Reaches from one module over ec-common into another. */
public final class KnowsTheClient {
    public static KnowsTheDatanode other() {
        return new KnowsTheDatanode();
    }
}
