package io.ecfs.namenode.log.ratis;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Ports of the loopback interface that nobody listens on. They lie below the kernel's ephemeral range: a member that
 * was stopped wants its port again seconds later, and an outgoing connection must not have taken it meanwhile.
 */
public final class FreePorts {
    private static final int LOWEST = 15_000;
    private static final int EPHEMERAL = 32_768;

    private FreePorts() {}

    /** @return {@code count} different ports that are free at present */
    public static List<Integer> find(int count) throws IOException {
        List<ServerSocket> held = new ArrayList<>();
        try {
            for (int tried = 0; held.size() < count && tried < EPHEMERAL; tried++) {
                ServerSocket socket = new ServerSocket();
                held.add(socket);
                try {
                    int port = ThreadLocalRandom.current().nextInt(LOWEST, EPHEMERAL);
                    socket.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
                } catch (IOException taken) {
                    held.remove(socket);
                    socket.close();
                }
            }
            if (held.size() < count) {
                throw new IOException("no " + count + " free ports between " + LOWEST + " and " + EPHEMERAL);
            }
            return held.stream().map(ServerSocket::getLocalPort).toList();
        } finally {
            for (ServerSocket socket : held) {
                socket.close();
            }
        }
    }
}
