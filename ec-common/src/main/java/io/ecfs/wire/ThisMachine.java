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
     * Returns whether this is an address of this machine; false for a name that does not resolve. May block to resolve
     * the name.
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
