package io.ecfs.torture;

import io.ecfs.client.Identity;
import io.ecfs.error.EcfsException;
import io.ecfs.message.Greeting;
import io.ecfs.wire.Caller;
import io.ecfs.wire.WireLoops;
import io.ecfs.wire.WireOptions;
import io.ecfs.wire.client.WireClient;

/** Connections of a client of this process's user, on network threads of its own. */
public final class ClientWire implements AutoCloseable {
    private static final int LOOPS = 1;

    private final WireLoops loops;
    private final WireClient wire;

    private ClientWire(WireLoops loops, WireClient wire) {
        this.loops = loops;
        this.wire = wire;
    }

    public static ClientWire open() throws EcfsException {
        Identity identity = Identity.ofThisProcess();
        Greeting.Hello hello =
                new Greeting.Hello(Greeting.PROTOCOL_VERSION, "", identity.user(), identity.groups(), "client");
        WireLoops loops = WireLoops.open("torture-io", LOOPS);
        return new ClientWire(loops, new WireClient(loops, WireOptions.defaults(), () -> hello));
    }

    public Caller caller() {
        return wire;
    }

    @Override
    public void close() {
        wire.close();
        loops.close();
    }
}
