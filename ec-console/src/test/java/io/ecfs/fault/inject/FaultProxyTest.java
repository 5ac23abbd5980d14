package io.ecfs.fault.inject;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ecfs.fault.inject.FaultProxy.LinkState;
import io.ecfs.message.Address;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class FaultProxyTest {
    private static final int SHORT_MILLIS = 100;

    /** Both ends of a connection through a proxy. */
    private record Ends(ServerSocket server, FaultProxy proxy, Socket caller, Socket daemon) implements AutoCloseable {
        static Ends open() throws IOException {
            ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
            FaultProxy proxy = new FaultProxy(new Address("127.0.0.1", server.getLocalPort()));
            Socket caller = new Socket(proxy.address().host(), proxy.address().port());
            return new Ends(server, proxy, caller, server.accept());
        }

        void request(int letter) throws IOException {
            caller.getOutputStream().write(letter);
        }

        void reply(int letter) throws IOException {
            daemon.getOutputStream().write(letter);
        }

        @Override
        public void close() throws IOException {
            caller.close();
            daemon.close();
            proxy.close();
            server.close();
        }
    }

    private static void assertSilent(Socket socket) throws IOException {
        socket.setSoTimeout(SHORT_MILLIS);
        assertThatThrownBy(() -> socket.getInputStream().read()).isInstanceOf(SocketTimeoutException.class);
        socket.setSoTimeout(0);
    }

    @Test
    void eachDirectionIsCutByItselfAndWhatWasSentArrivesAfterwards() throws IOException {
        try (Ends ends = Ends.open()) {
            ends.request('a');
            assertThat(ends.daemon().getInputStream().read()).isEqualTo('a');
            ends.proxy().set(LinkState.CUT, LinkState.GOOD);
            ends.request('b');
            ends.reply('c');
            assertThat(ends.caller().getInputStream().read()).isEqualTo('c');
            assertSilent(ends.daemon());
            ends.proxy().set(LinkState.GOOD, LinkState.CUT);
            assertThat(ends.daemon().getInputStream().read()).isEqualTo('b');
            ends.reply('d');
            assertSilent(ends.caller());
            ends.proxy().set(LinkState.GOOD, LinkState.GOOD);
            assertThat(ends.caller().getInputStream().read()).isEqualTo('d');
        }
    }

    @Test
    void aCutLinkDoesNotShowTheEndOfAConnection() throws IOException {
        try (Ends ends = Ends.open()) {
            ends.proxy().set(LinkState.CUT, LinkState.CUT);
            ends.caller().close();
            assertSilent(ends.daemon());
            ends.proxy().set(LinkState.GOOD, LinkState.GOOD);
            assertThat(ends.daemon().getInputStream().read()).isEqualTo(-1);
        }
    }

    @Test
    void aSlowLinkDelaysAndKeepsTheOrder() throws IOException {
        try (Ends ends = Ends.open()) {
            ends.proxy().set(new LinkState(false, Duration.ofMillis(200), 0), LinkState.GOOD);
            long begin = System.nanoTime();
            ends.request('a');
            ends.request('b');
            assertThat(ends.daemon().getInputStream().read()).isEqualTo('a');
            assertThat(Duration.ofNanos(System.nanoTime() - begin)).isGreaterThanOrEqualTo(Duration.ofMillis(200));
            assertThat(ends.daemon().getInputStream().read()).isEqualTo('b');
        }
    }

    @Test
    void aLostSegmentIsSentAgainAndNoByteIsLost() throws IOException {
        try (Ends ends = Ends.open()) {
            ends.proxy().set(new LinkState(false, Duration.ZERO, 0.999_999), LinkState.GOOD);
            long begin = System.nanoTime();
            ends.request('a');
            assertThat(ends.daemon().getInputStream().read()).isEqualTo('a');
            assertThat(Duration.ofNanos(System.nanoTime() - begin)).isGreaterThanOrEqualTo(Duration.ofMillis(200));
        }
    }

    @Test
    void aDaemonThatDoesNotListenResetsItsCallers() throws IOException {
        ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        try (FaultProxy proxy = new FaultProxy(new Address("127.0.0.1", server.getLocalPort()))) {
            server.close();
            try (Socket caller =
                    new Socket(proxy.address().host(), proxy.address().port())) {
                assertThatThrownBy(() -> {
                            int read = caller.getInputStream().read();
                            throw new AssertionError("read " + read);
                        })
                        .isInstanceOf(SocketException.class);
            }
        }
    }
}
