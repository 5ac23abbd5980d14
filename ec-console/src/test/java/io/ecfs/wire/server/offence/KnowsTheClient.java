package io.ecfs.wire.server.offence;

import io.ecfs.wire.client.WireClient;

/** Depends on the other end of the wire. */
public final class KnowsTheClient {
    static void close(WireClient client) {
        client.close();
    }
}
