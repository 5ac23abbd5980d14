package io.ecfs.console.local;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Finds free ports, below the kernel's ephemeral range: a cluster uses the same ports after a restart, and no outgoing
 * connection must have taken them meanwhile.
 */
final class Ports {
    private static final int LOWEST = 15_000;
    private static final int EPHEMERAL = 32_768;

    private Ports() {}

    /** @return {@code count} different ports of the loopback interface that are free at present */
    static List<Integer> free(int count) throws IOException {
        List<ServerSocket> reserved = new ArrayList<>();
        try {
            List<Integer> ports = new ArrayList<>();
            int candidate = ThreadLocalRandom.current().nextInt(LOWEST, EPHEMERAL - 2 * count);
            for (int tried = 0; ports.size() < count; tried++, candidate++) {
                if (tried > EPHEMERAL - LOWEST) {
                    throw new IOException("no " + count + " free ports between " + LOWEST + " and " + EPHEMERAL
                            + "; free some or name others with --port-base");
                }
                int port = LOWEST + (candidate - LOWEST) % (EPHEMERAL - LOWEST);
                ServerSocket socket = listen(port);
                if (socket != null) {
                    reserved.add(socket);
                    ports.add(port);
                }
            }
            return ports;
        } finally {
            for (ServerSocket socket : reserved) {
                socket.close();
            }
        }
    }

    /** The port when it is free at present, otherwise another one. */
    static int freeOr(int wanted) throws IOException {
        try (ServerSocket socket = listen(wanted)) {
            if (socket != null) {
                return wanted;
            }
        }
        return free(1).get(0);
    }

    /** A listening socket, or null when the port is taken. */
    private static ServerSocket listen(int port) throws IOException {
        ServerSocket socket = new ServerSocket();
        try {
            socket.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
            return socket;
        } catch (IOException taken) {
            socket.close();
            return null;
        }
    }
}
