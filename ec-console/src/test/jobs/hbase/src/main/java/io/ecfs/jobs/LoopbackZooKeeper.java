package io.ecfs.jobs;

import java.io.File;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import org.apache.zookeeper.server.ServerCnxnFactory;
import org.apache.zookeeper.server.ZooKeeperServer;

/** {@code LoopbackZooKeeper DIRECTORY}: one ZooKeeper server on a port that the system gives, which it prints. */
public final class LoopbackZooKeeper {
    private static final int TICK_MILLIS = 1000;
    private static final int CONNECTIONS_OF_A_HOST = 100;

    private LoopbackZooKeeper() {}

    public static void main(String[] arguments) throws Exception {
        File directory = new File(arguments[0]);
        ServerCnxnFactory connections = ServerCnxnFactory.createFactory(
                new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), CONNECTIONS_OF_A_HOST);
        connections.startup(new ZooKeeperServer(directory, directory, TICK_MILLIS));
        System.out.println("port " + connections.getLocalPort());
        connections.join();
    }
}
