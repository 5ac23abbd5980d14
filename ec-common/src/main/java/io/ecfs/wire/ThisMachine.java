package io.ecfs.wire;

import io.ecfs.message.Address;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.net.UnknownHostException;

/** The machine that this process runs on, as the network names it. */
public final class ThisMachine {
    private ThisMachine() {}

    /**
     * Whether a daemon at this address runs here too; false of a name that nobody knows. May look the name up, which
     * blocks.
     */
    public static boolean has(Address address) {
        try {
            InetAddress host = InetAddress.getByName(address.host());
            return host.isLoopbackAddress() || NetworkInterface.getByInetAddress(host) != null;
        } catch (UnknownHostException | SocketException e) {
            return false;
        }
    }
}
