package io.ecfs.sim.cluster;

import io.ecfs.datanode.relay.RelaySettings;
import io.ecfs.datanode.repair.RepairSettings;
import io.ecfs.datanode.scrub.ScrubSettings;
import io.ecfs.datanode.server.ControlSettings;
import io.ecfs.datanode.server.DatanodeConfig.StoreSettings;
import io.ecfs.datanode.store.ReadErrorAllowance;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;

/**
 * What a simulated machine of a datanode has, and the bounds that its datanode works within.
 *
 * @param diskBytes of each of its disks, of which only what is written takes memory
 * @param scrub empty: its volumes are not scrubbed
 */
public record HostSettings(
        String rack,
        int volumes,
        long diskBytes,
        ControlSettings control,
        StoreSettings store,
        RepairSettings repair,
        RelaySettings relay,
        Optional<ScrubSettings> scrub) {
    private static final int QUEUE_BOUND = 1000;
    private static final int READ_BYTES = 1 << 20;

    /** Small bounds, so that worlds of a minute come to them. */
    private static final ControlSettings CONTROL = new ControlSettings(
            Duration.ofMillis(1500),
            Duration.ofSeconds(3),
            Duration.ofMillis(20),
            Duration.ofSeconds(15),
            3,
            5,
            40,
            100,
            4);

    private static final RelaySettings RELAY =
            new RelaySettings(1 << 20, 4, Duration.ofSeconds(5), Duration.ofSeconds(3), 1);
    private static final RepairSettings REPAIR =
            new RepairSettings(2, 1, 32 << 20, 8 << 10, 3, 0, Duration.ofSeconds(3), RepairSettings.Limit.NONE);

    public HostSettings {
        Objects.requireNonNull(rack, "rack");
        Objects.requireNonNull(control, "control");
        Objects.requireNonNull(store, "store");
        Objects.requireNonNull(repair, "repair");
        Objects.requireNonNull(relay, "relay");
        Objects.requireNonNull(scrub, "scrub");
    }

    /** Two racks, and one or two small disks. */
    static HostSettings usual(int number, int volumes) {
        StoreSettings store = new StoreSettings(
                0,
                1,
                2,
                QUEUE_BOUND,
                64L * READ_BYTES,
                READ_BYTES,
                StoreSettings.defaults().syncInterval(),
                false,
                Optional.empty(),
                ReadErrorAllowance.USUAL);
        return new HostSettings(
                "/rack" + number % 2,
                volumes,
                DatanodeHost.DISK_BYTES,
                CONTROL,
                store,
                REPAIR,
                RELAY,
                Optional.empty());
    }
}
