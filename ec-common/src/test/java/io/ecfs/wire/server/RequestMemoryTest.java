package io.ecfs.wire.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.ecfs.message.Address;
import io.ecfs.message.DatanodeId;
import io.ecfs.message.FeatureLevel;
import io.ecfs.wire.PeerIdentity;
import io.ecfs.wire.Session;
import io.ecfs.wire.WireOptions;
import io.ecfs.wire.frame.Intake;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

final class RequestMemoryTest {
    private static final WireOptions OPTIONS = WireOptions.defaults();
    private static final long FRAME = OPTIONS.maxFrameBytes();

    private final RequestMemory memory = new RequestMemory("requests", OPTIONS);

    private static Session session(String host, String user, PeerIdentity identity) {
        return new Session(new Address(host, 1), user, List.of(), "client", "", false, FeatureLevel.RELEASE, identity);
    }

    private Intake user(String host, String user) {
        return memory.of(session(host, user, new PeerIdentity.User(user)));
    }

    /** @return what was granted until the first frame had to wait, and that frame's future */
    private static CompletableFuture<Void> takeAll(Intake intake, List<Long> granted) {
        while (true) {
            CompletableFuture<Void> next = intake.acquire(FRAME);
            if (!next.isDone()) {
                return next;
            }
            granted.add(FRAME);
        }
    }

    @Test
    void oneUserFromManyHostsHasAQuarterAndOthersGoOn() {
        List<Long> granted = new ArrayList<>();
        List<CompletableFuture<Void>> waiting = new ArrayList<>();
        for (int host = 1; host < 40; host++) {
            waiting.add(takeAll(user("10.0.0." + host, "mallory"), granted));
        }
        assertThat(granted.size() * FRAME).isLessThanOrEqualTo(OPTIONS.serverRequestBytes() / 4);
        assertThat(waiting).noneMatch(CompletableFuture::isDone);
        assertThat(user("10.0.1.1", "alice").acquire(FRAME)).isDone();
    }

    @Test
    void oneHostWithManyUsersHasAQuarterAndOthersGoOn() {
        List<Long> granted = new ArrayList<>();
        takeAll(memory.stranger(new Address("10.0.0.1", 5)), granted);
        for (int number = 0; number < 40; number++) {
            takeAll(user("10.0.0.1", "user" + number), granted);
        }
        assertThat(granted.size() * FRAME).isLessThanOrEqualTo(OPTIONS.serverRequestBytes() / 4);
        assertThat(user("10.0.0.2", "alice").acquire(FRAME)).isDone();
    }

    @Test
    void aProvedDaemonWaitsForNoUser() {
        List<Long> granted = new ArrayList<>();
        for (int host = 1; host < 40; host++) {
            takeAll(user("10.0.0." + host, "user" + host), granted);
        }
        assertThat(granted.size() * FRAME).isGreaterThan(OPTIONS.serverRequestBytes() - FRAME);
        Intake datanode = memory.of(session("10.0.0.1", "ecfs", new PeerIdentity.Datanode(new DatanodeId("dn1"))));
        assertThat(datanode.acquire(FRAME)).isDone();
        assertThat(memory.usedBytes()).isEqualTo((granted.size() + 1) * FRAME);
    }

    @Test
    void whatIsGivenBackGoesToWhoWaitsAndACancelledWaitKeepsNothing() {
        Intake mallory = user("10.0.0.1", "mallory");
        List<Long> granted = new ArrayList<>();
        CompletableFuture<Void> first = takeAll(mallory, granted);
        CompletableFuture<Void> second = mallory.acquire(FRAME);
        assertThat(first.cancel(false)).isTrue();
        mallory.release(FRAME);
        assertThat(second).isCompleted();
        for (int i = 0; i < granted.size(); i++) {
            mallory.release(FRAME);
        }
        assertThat(memory.usedBytes()).isZero();
    }

    /** The share of the user is there, the memory of all is not. */
    @Test
    void aWaitForTheMemoryOfAllGivesTheShareBackWhenItIsCancelled() {
        List<Intake> others = new ArrayList<>();
        for (int number = 1; number <= 4; number++) {
            Intake other = user("10.0.0." + number, "user" + number);
            others.add(other);
            takeAll(other, new ArrayList<>()).cancel(false);
        }
        Intake last = user("10.0.0.5", "user5");
        List<Long> granted = new ArrayList<>();
        takeAll(last, granted).cancel(false);
        int share = (int) (OPTIONS.serverRequestBytes() / 4 / FRAME);
        assertThat(granted).hasSizeLessThan(share);
        others.forEach(other -> other.release(2 * FRAME));
        takeAll(last, granted);
        assertThat(granted).hasSize(share);
    }

    @Test
    void connectionsOfAHostAreCountedUntilTheyEnd() throws UnknownHostException {
        InetAddress host = InetAddress.getByName("10.0.0.1");
        Intake first = memory.stranger(new Address("10.0.0.1", 5));
        Intake second = user("10.0.0.1", "alice");
        assertThat(memory.connectionsOf(host)).isEqualTo(2);
        assertThat(memory.connectionsOf(InetAddress.getByName("10.0.0.2"))).isZero();
        first.close();
        second.close();
        assertThat(memory.connectionsOf(host)).isZero();
        memory.stranger(new Address("127.0.0.1", 5));
        assertThat(memory.connectionsOf(InetAddress.getLoopbackAddress())).isZero();
    }
}
