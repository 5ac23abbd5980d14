package io.ecfs.namenode.log.ratis;

import io.ecfs.message.Address;
import io.ecfs.namenode.log.ratis.appender.CheckpointAppender;
import io.ecfs.namenode.log.ratis.appender.LeaderProof;
import io.ecfs.namenode.log.ratis.appender.ProvingRpc;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.ratis.RaftConfigKeys;
import org.apache.ratis.conf.Parameters;
import org.apache.ratis.conf.RaftProperties;
import org.apache.ratis.grpc.GrpcConfigKeys;
import org.apache.ratis.grpc.GrpcTlsConfig;
import org.apache.ratis.protocol.RaftGroup;
import org.apache.ratis.protocol.RaftGroupId;
import org.apache.ratis.protocol.RaftPeer;
import org.apache.ratis.server.RaftServerConfigKeys;
import org.apache.ratis.util.SizeInBytes;
import org.apache.ratis.util.TimeDuration;

/** Our options in Ratis's terms, each with the reason where it is not the default. */
final class RaftSettings {
    /** Room for the entry's own fields around the commands. */
    private static final int ENTRY_OVERHEAD = 64 << 10;

    private static final int APPENDER_BYTES = 4 << 20;

    private RaftSettings() {}

    static RaftGroup group(RaftMember member) {
        List<RaftPeer> peers = member.peers().entrySet().stream()
                .map(peer -> RaftPeer.newBuilder()
                        .setId(peer.getKey())
                        .setAddress(peer.getValue().toString())
                        .build())
                .toList();
        return RaftGroup.valueOf(RaftGroupId.valueOf(member.log().log()), peers);
    }

    /** @param joining whether the namenode may not stand for election yet: its first election is not brought forward */
    static RaftProperties properties(RaftMember member, RaftTuning tuning, Path raftDirectory, boolean joining) {
        RaftProperties properties = new RaftProperties();
        Address own = member.peers().get(member.id());
        RaftConfigKeys.Rpc.setType(properties, new ProvingRpc());
        GrpcConfigKeys.Server.setHost(properties, own.host());
        GrpcConfigKeys.Server.setPort(properties, own.port());
        RaftServerConfigKeys.setStorageDir(properties, List.of(raftDirectory.toFile()));
        elections(properties, tuning, joining ? 1 : 3);
        log(properties, tuning);
        // A read asks whether this namenode still leads; Ratis answers from its lease while that holds.
        RaftServerConfigKeys.Read.setOption(properties, RaftServerConfigKeys.Read.Option.LINEARIZABLE);
        RaftServerConfigKeys.Read.setLeaderLeaseEnabled(properties, true);
        // The state stores answers by request id; Ratis's own cache is not needed.
        RaftServerConfigKeys.RetryCache.setExpiryTime(properties, TimeDuration.valueOf(5, TimeUnit.SECONDS));
        return properties;
    }

    private static void elections(RaftProperties properties, RaftTuning tuning, int firstBy) {
        RaftServerConfigKeys.Rpc.setTimeoutMin(properties, of(tuning.electionTimeoutMin()));
        RaftServerConfigKeys.Rpc.setTimeoutMax(properties, of(tuning.electionTimeoutMax()));
        RaftServerConfigKeys.Rpc.setFirstElectionTimeoutMin(
                properties, of(tuning.electionTimeoutMin().dividedBy(firstBy)));
        RaftServerConfigKeys.Rpc.setFirstElectionTimeoutMax(
                properties, of(tuning.electionTimeoutMax().dividedBy(firstBy)));
        // Ratis would shut itself down after a pause of a minute: a laptop that slept. A stopped leader is found out
        // anyway.
        RaftServerConfigKeys.setCloseThreshold(properties, TimeDuration.valueOf(365, TimeUnit.DAYS));
    }

    private static void log(RaftProperties properties, RaftTuning tuning) {
        // A namenode that comes back is contacted within half a second, not after the five that Ratis waits in the end.
        RaftServerConfigKeys.Log.Appender.setRetryPolicy(properties, "1ms,10, 500ms,1000000000");
        SizeInBytes appender = SizeInBytes.valueOf(
                Math.max(APPENDER_BYTES, Math.addExact(tuning.entryBytes(), entryOverhead(tuning))));
        RaftServerConfigKeys.Log.Appender.setBufferByteLimit(properties, appender);
        RaftServerConfigKeys.Log.setWriteBufferSize(properties, SizeInBytes.valueOf(appender.getSize() * 2));
        RaftServerConfigKeys.Log.setSegmentSizeMax(properties, SizeInBytes.valueOf(tuning.segmentBytes()));
        RaftServerConfigKeys.Log.setPreallocatedSize(properties, SizeInBytes.valueOf(tuning.segmentBytes()));
        // StateAdapter and LogRetention decide when to copy the state, and how much log to retain behind the copy.
        RaftServerConfigKeys.Snapshot.setAutoTriggerEnabled(properties, false);
        RaftServerConfigKeys.Log.setPurgeGap(properties, 1);
        RaftServerConfigKeys.Log.setPurgeUptoSnapshotIndex(properties, true);
        // A late namenode fetches a checkpoint over our own wire.
        RaftServerConfigKeys.Log.Appender.setInstallSnapshotEnabled(properties, false);
        // One entry for every commit only to note the commit: our state carries its own position.
        RaftServerConfigKeys.Log.setLogMetadataEnabled(properties, false);
    }

    private static int entryOverhead(RaftTuning tuning) {
        return ENTRY_OVERHEAD + tuning.entryCommands() * Integer.BYTES;
    }

    static Parameters parameters(
            RaftMember member, LeaderProof proof, CheckpointAppender.Ends checkpoints, RaftRpcFilter door) {
        Parameters parameters = new Parameters();
        ProvingRpc.install(parameters, proof, checkpoints);
        GrpcConfigKeys.Server.setServicesCustomizer(parameters, (builder, services) -> builder.intercept(door));
        member.tls().ifPresent(tls -> {
            GrpcTlsConfig mutual = new GrpcTlsConfig(
                    tls.key().toFile(),
                    tls.certificates().toFile(),
                    tls.authority().toFile(),
                    true);
            GrpcConfigKeys.TLS.setConf(parameters, mutual);
            GrpcConfigKeys.Server.setTlsConf(parameters, mutual);
            GrpcConfigKeys.Client.setTlsConf(parameters, mutual);
            GrpcConfigKeys.Admin.setTlsConf(parameters, mutual);
        });
        return parameters;
    }

    private static TimeDuration of(Duration duration) {
        return TimeDuration.valueOf(duration.toMillis(), TimeUnit.MILLISECONDS);
    }
}
