package io.ecfs.wire.client.offence;

import io.ecfs.wire.server.WireServer;

/** Depends on the other end of the wire. */
public final class KnowsTheServer {
    static void close(WireServer server) {
        server.close();
    }
}
