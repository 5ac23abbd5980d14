package io.ecfs.sim.script;

import io.ecfs.client.base.ClientConfig;
import io.ecfs.config.ConfigReader;
import io.ecfs.datanode.relay.RelaySettings;
import io.ecfs.datanode.repair.RepairSettings;
import io.ecfs.datanode.scrub.ScrubSettings;
import io.ecfs.datanode.server.ControlSettings;
import io.ecfs.datanode.server.DatanodeConfig.StoreSettings;
import io.ecfs.error.EcfsException;
import io.ecfs.error.ErrorCode;
import io.ecfs.fault.profile.FaultProfile;
import io.ecfs.fault.profile.LabCluster;
import io.ecfs.layout.Policy;
import io.ecfs.namenode.settings.NamenodeSettings;
import io.ecfs.sim.cluster.ClusterSettings;
import io.ecfs.sim.cluster.HostSettings;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * The settings of an experiment's daemons and clients: the defaults of real ones, with what the profile sets.
 *
 * @param clients without packs, and with room for writers that never wait: there is one thread
 */
public record ScriptedSettings(ClusterSettings cluster, ClientConfig clients) {
    /** Of each disk; only what is written takes memory. */
    private static final long DISK_BYTES = 64L << 30;

    /** Bytes of the heap for each byte on a disk: files have room to grow, and calls last until they time out. */
    private static final int HEAP = 6;

    /** Of a file on a disk in memory, and so of one that is written to several. */
    private static final long MOST_FILE = 1L << 30;

    private static final List<String> CLIENTS = List.of(
            "writeBudgetBytes=512MiB", "writeWindowStripes=64", "local.on=off", "networkThreads=1", "pack.on=false");

    private record NamenodeKeys(NamenodeSettings settings) {}

    private record DatanodeKeys(
            ControlSettings control,
            StoreSettings store,
            RepairSettings repair,
            RelaySettings relay,
            ScrubSettings scrub) {}

    /**
     * The settings for one of the profile's policies.
     *
     * @param heapBytes that this process may have
     * @throws EcfsException {@code INVALID_ARGUMENT} in one line when the load has no room in memory
     * @throws io.ecfs.config.ConfigException in one line: a key that a simulation does not have, or a bad value
     */
    public static ScriptedSettings of(FaultProfile profile, Policy policy, long heapBytes) throws EcfsException {
        requireRoom(profile, policy, heapBytes / HEAP);
        LabCluster cluster = profile.cluster();
        NamenodeKeys namenodes = ConfigReader.with(
                new NamenodeKeys(NamenodeSettings.defaults(policy, "user")), set(cluster, "namenode."));
        DatanodeKeys datanodes = ConfigReader.with(
                new DatanodeKeys(
                        ControlSettings.defaults(),
                        StoreSettings.defaults(),
                        RepairSettings.defaults(),
                        RelaySettings.defaults(),
                        ScrubSettings.defaults()),
                set(cluster, "datanode."));
        List<String> clients = Stream.concat(CLIENTS.stream(), set(cluster, "client.").stream())
                .toList();
        return new ScriptedSettings(
                new ClusterSettings(
                        namenodes.settings(),
                        IntStream.range(0, cluster.datanodes())
                                .mapToObj(number -> host(cluster, number, datanodes))
                                .toList()),
                ClientConfig.defaults().with(clients.toArray(String[]::new)));
    }

    private static void requireRoom(FaultProfile profile, Policy policy, long most) throws EcfsException {
        int times = profile.workload().during().writes() ? 2 : 1;
        long stored =
                Math.multiplyExact(times, profile.workload().totalBytes()) / policy.dataChunks() * policy.chunks();
        if (stored > most || profile.workload().bytes() > MOST_FILE) {
            long nearest = Math.max(
                    1,
                    Math.min(
                            MOST_FILE,
                            most
                                    / policy.chunks()
                                    * policy.dataChunks()
                                    / times
                                    / profile.workload().files()));
            throw new EcfsException(
                    ErrorCode.INVALID_ARGUMENT,
                    "a simulation has its disks in memory, with this heap " + most + " bytes and " + MOST_FILE
                            + " for a file, and this load stores " + stored + " under " + policy
                            + ": use shape processes, or a larger heap; nearest valid is workload.bytes: " + nearest);
        }
    }

    /** Racks are dealt out in turn. */
    private static HostSettings host(LabCluster cluster, int number, DatanodeKeys keys) {
        return new HostSettings(
                "/rack" + number % cluster.racks(),
                cluster.volumes(),
                DISK_BYTES,
                keys.control(),
                keys.store(),
                keys.repair(),
                keys.relay(),
                Optional.of(keys.scrub()));
    }

    private static List<String> set(LabCluster cluster, String prefix) {
        return cluster.set().stream()
                .filter(setting -> setting.startsWith(prefix))
                .map(setting -> setting.substring(prefix.length()))
                .toList();
    }
}
