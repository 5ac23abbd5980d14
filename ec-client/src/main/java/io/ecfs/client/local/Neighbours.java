package io.ecfs.client.local;

import io.ecfs.env.Clock;
import io.ecfs.message.Address;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Which datanodes may be on this machine and let their files be read. */
final class Neighbours {
    private static final Duration ASK_AGAIN_AFTER = Duration.ofMinutes(10);

    private final Clock clock;
    /** Others, and until when (nanos) nobody asks them. */
    private final Map<Address, Long> others = new ConcurrentHashMap<>();

    Neighbours(Clock clock) {
        this.clock = clock;
    }

    /** Whether it is worth asking; true of those that nothing is known of. */
    boolean possible(Address datanode) {
        Long until = others.get(datanode);
        return until == null || until - clock.nanos() <= 0;
    }

    /** May look up a name, which blocks. */
    boolean sharesThisMachine(Address datanode) {
        try {
            InetAddress address = InetAddress.getByName(datanode.host());
            return address.isLoopbackAddress() || NetworkInterface.getByInetAddress(address) != null;
        } catch (UnknownHostException | SocketException e) {
            return false;
        }
    }

    void isNone(Address datanode) {
        others.put(datanode, clock.nanos() + ASK_AGAIN_AFTER.toNanos());
    }
}
