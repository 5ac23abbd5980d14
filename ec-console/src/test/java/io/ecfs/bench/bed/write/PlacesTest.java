package io.ecfs.bench.bed.write;

import static org.assertj.core.api.Assertions.assertThat;

import io.ecfs.bench.bed.Device;
import io.ecfs.bench.bed.hardware.Machine;
import io.ecfs.client.write.route.MasterLoads;
import io.ecfs.sim.time.VirtualTime;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class PlacesTest {
    private final VirtualTime time = new VirtualTime();
    private final MasterLoads loads = new MasterLoads(time);
    private final List<Machine> datanodes = IntStream.range(0, 2)
            .mapToObj(i -> new Machine(time, i, 1, new Device(0, 1_000_000)))
            .toList();

    private List<Integer> masters() {
        Places places = new Places(datanodes, 2, MasterChoice.LESS_LOADED, new SplittableRandom(1));
        return IntStream.range(0, 20)
                .mapToObj(i -> places.next(loads).master())
                .distinct()
                .toList();
    }

    @Test
    void everyDatanodeEncodesWhileNoneLetsItsClientWait() {
        assertThat(masters()).containsExactlyInAnyOrder(0, 1);
    }

    @Test
    void theDatanodeThatLetItsClientWaitDoesNotEncode() {
        Places places = new Places(datanodes, 2, MasterChoice.LESS_LOADED, new SplittableRandom(2));
        Places.Group group = places.next(loads);
        loads.took(places.master(group), 1000, 1000);
        assertThat(masters()).containsExactly(1 - group.master());
    }
}
