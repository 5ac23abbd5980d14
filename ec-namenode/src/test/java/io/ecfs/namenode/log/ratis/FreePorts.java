package io.ecfs.namenode.log.ratis;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Ports of the loopback interface for members that are stopped and want their port again seconds later. They lie below
 * the kernel's ephemeral range, so that no outgoing connection takes one meanwhile, and in a block that belongs to this
 * JVM alone: the JVM that listens on the block's first port. Each is given once, until the block has no more.
 */
public final class FreePorts {
    private static final int LOWEST = 15_000;
    private static final int EPHEMERAL = 32_768;
    private static final int BLOCK = 256;
    private static final int BLOCKS = (EPHEMERAL - LOWEST) / BLOCK;

    private static ServerSocket owner; // open until the JVM ends
    private static int given;

    private FreePorts() {}

    /** @return {@code count} different ports that are free at present */
    public static synchronized List<Integer> find(int count) throws IOException {
        if (owner == null) {
            owner = takeBlock();
        }
        List<Integer> found = new ArrayList<>();
        for (int tried = 0; found.size() < count && tried < BLOCK; tried++) {
            int port = owner.getLocalPort() + 1 + given++ % (BLOCK - 1);
            try {
                listen(port).close();
                found.add(port);
            } catch (IOException taken) {
                // by a member that runs, or by a stranger
            }
        }
        if (found.size() < count) {
            throw new IOException("no " + count + " free ports in the " + BLOCK + " from " + owner.getLocalPort());
        }
        return found;
    }

    private static ServerSocket takeBlock() throws IOException {
        int first = ThreadLocalRandom.current().nextInt(BLOCKS);
        for (int i = 0; i < BLOCKS; i++) {
            try {
                return listen(LOWEST + (first + i) % BLOCKS * BLOCK);
            } catch (IOException taken) {
                // another JVM's block
            }
        }
        throw new IOException("all blocks of ports between " + LOWEST + " and " + EPHEMERAL + " are taken");
    }

    private static ServerSocket listen(int port) throws IOException {
        ServerSocket socket = new ServerSocket();
        try {
            socket.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
            return socket;
        } catch (IOException e) {
            socket.close();
            throw e;
        }
    }
}
