package io.ecfs.bench.bed.hardware;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ecfs.sim.time.VirtualTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Messages of 1,000 ns over links with 10 ns of latency between them. */
class TopologyTest {
    private final VirtualTime time = new VirtualTime();
    private final Agenda agenda = Agenda.of(time);
    private final List<Long> arrivals = new ArrayList<>();

    private void send(Topology network, int from, int to) {
        network.send(from, to, 1_000, () -> arrivals.add(time.nanos()));
    }

    private List<Long> arrivals() {
        time.pass(Duration.ofMillis(1));
        return arrivals;
    }

    @Test
    void aMessageAloneTakesOneLinkAndTheLatency() {
        send(new Star(agenda, 10, 2), 0, 1);
        assertThat(arrivals()).containsExactly(1_010L);
    }

    @Test
    void messagesOfOneSenderShareItsLink() {
        Star star = new Star(agenda, 10, 3);
        send(star, 0, 1);
        send(star, 0, 2);
        assertThat(arrivals()).containsExactly(1_010L, 2_010L);
    }

    @Test
    void messagesToOneReceiverShareItsLink() {
        Star star = new Star(agenda, 10, 3);
        send(star, 0, 2);
        send(star, 1, 2);
        assertThat(arrivals()).containsExactly(1_010L, 2_010L);
    }

    @Test
    void bothDirectionsOfALinkAreFreeForThemselves() {
        Star star = new Star(agenda, 10, 2);
        send(star, 0, 1);
        send(star, 1, 0);
        assertThat(arrivals()).containsExactly(1_010L, 1_010L);
    }

    @Test
    void aTorusTakesTheShorterWayRound() {
        Torus torus = new Torus(agenda, 10, 25, new Torus.Size(5, 5));
        assertThat(torus.between(0, 4)).as("one step to the left").hasSize(1);
        assertThat(torus.between(0, 2)).hasSize(2);
        assertThat(torus.between(0, 24)).as("left and up").hasSize(2);
        assertThat(torus.between(6, 6)).isEmpty();
        assertThat(torus.latencyNanos(0, 24)).isEqualTo(30);
    }

    @Test
    void eachHopOfATorusAddsItsLatencyAlone() {
        send(new Torus(agenda, 10, 5, new Torus.Size(5, 1)), 0, 2);
        assertThat(arrivals()).containsExactly(1_000L + 3 * 10);
    }

    @Test
    void messagesThatPassOneLinkOfATorusShareIt() {
        Torus torus = new Torus(agenda, 10, 5, new Torus.Size(5, 1));
        send(torus, 0, 2); // over 0-1 and 1-2
        send(torus, 1, 2); // over 1-2, where it is first
        assertThat(arrivals()).containsExactly(1_020L, 2_020L);
    }

    @Test
    void aTorusWithoutNodesIsRefused() {
        assertThatThrownBy(() -> new Torus.Size(0, 4)).hasMessageEndingWith("got 0x4; nearest is 1x4");
    }

    @Test
    void coresOfAStationWorkAtTheSameTime() {
        Station station = new Station(time, 2);
        for (int i = 0; i < 3; i++) {
            station.use(100, () -> arrivals.add(time.nanos()));
        }
        assertThat(arrivals()).containsExactly(100L, 100L, 200L);
        assertThat(station.busyNanos()).isEqualTo(300);
    }
}
