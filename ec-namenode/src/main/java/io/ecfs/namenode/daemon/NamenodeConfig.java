package io.ecfs.namenode.daemon;

import io.ecfs.env.real.JoinTokenFile;
import io.ecfs.message.Address;
import io.ecfs.namenode.audit.AuditSettings;
import io.ecfs.namenode.log.ratis.RaftMember.RaftTls;
import io.ecfs.namenode.log.ratis.RaftTuning;
import io.ecfs.namenode.settings.NamenodeSettings;
import io.ecfs.namenode.store.rocks.RocksSettings;
import io.ecfs.namenode.user.os.GroupSettings;
import io.ecfs.wire.WireOptions;
import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;

/**
 * One namenode of a cluster.
 * @param id of this namenode, a key of {@code namenodes}
 * @param cluster the cluster's name, the same on all its namenodes and different from those of other clusters; it
 *     separates the namenodes of two clusters before they have an id
 * @param namenodes all namenodes of the cluster, alike on each of them
 * @param directory for all files of this namenode
 * @param joinToken file with the secret that proves to other daemons that this is one of the cluster; {@code
 *     join.token} in the directory when empty
 * @param listen where clients and datanodes are served, when that differs from the address that others use
 * @param status where {@code /health} and {@code /metrics} are served over HTTP; none when empty
 * @param raftTls files of the mutual TLS between the namenodes' logs; empty: those of {@code wire.tls}, and plain
 *     without
 * @param groups where the groups of users come from
 * @param audit where changes and denied requests are recorded
 */
public record NamenodeConfig(
        String id,
        String cluster,
        Map<String, Peer> namenodes,
        Path directory,
        Optional<Path> joinToken,
        Optional<Address> listen,
        Optional<Address> status,
        Optional<RaftTls> raftTls,
        RaftTuning raft,
        RocksSettings store,
        WireOptions wire,
        GroupSettings groups,
        AuditSettings audit,
        NamenodeSettings settings) {

    /**
     * @param address that clients, datanodes and other namenodes connect to
     * @param raft address of the log's own traffic
     */
    public record Peer(Address address, Address raft) {}

    public NamenodeConfig {
        namenodes = new TreeMap<>(namenodes);
        Objects.requireNonNull(directory, "directory");
        Objects.requireNonNull(joinToken, "joinToken");
        Objects.requireNonNull(listen, "listen");
        Objects.requireNonNull(status, "status");
        Objects.requireNonNull(raftTls, "raftTls");
        Objects.requireNonNull(raft, "raft");
        Objects.requireNonNull(store, "store");
        Objects.requireNonNull(wire, "wire");
        Objects.requireNonNull(groups, "groups");
        Objects.requireNonNull(audit, "audit");
        Objects.requireNonNull(settings, "settings");
        if (!namenodes.containsKey(id)) {
            throw new IllegalArgumentException(
                    "namenode '" + id + "' is not among the cluster's " + namenodes.keySet());
        }
        if (cluster.isBlank()) {
            throw new IllegalArgumentException("the cluster needs a name that its namenodes share");
        }
    }

    /** A namenode with the usual tuning that listens at its address in {@code namenodes}. */
    public static NamenodeConfig standard(
            String id, String cluster, Map<String, Peer> namenodes, Path directory, NamenodeSettings settings) {
        return new NamenodeConfig(
                id,
                cluster,
                namenodes,
                directory,
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                RaftTuning.defaults(),
                RocksSettings.defaults(),
                WireOptions.defaults(),
                GroupSettings.defaults(),
                AuditSettings.defaults(),
                settings);
    }

    public NamenodeConfig withStatus(Address address) {
        return new NamenodeConfig(
                id,
                cluster,
                namenodes,
                directory,
                joinToken,
                listen,
                Optional.of(address),
                raftTls,
                raft,
                store,
                wire,
                groups,
                audit,
                settings);
    }

    public NamenodeConfig withJoinToken(Path file) {
        return new NamenodeConfig(
                id,
                cluster,
                namenodes,
                directory,
                Optional.of(file),
                listen,
                status,
                raftTls,
                raft,
                store,
                wire,
                groups,
                audit,
                settings);
    }

    public NamenodeConfig withRaft(RaftTuning tuning) {
        return new NamenodeConfig(
                id, cluster, namenodes, directory, joinToken, listen, status, raftTls, tuning, store, wire, groups,
                audit, settings);
    }

    public NamenodeConfig withGroups(GroupSettings source) {
        return new NamenodeConfig(
                id, cluster, namenodes, directory, joinToken, listen, status, raftTls, raft, store, wire, source, audit,
                settings);
    }

    public NamenodeConfig withAudit(AuditSettings log) {
        return new NamenodeConfig(
                id, cluster, namenodes, directory, joinToken, listen, status, raftTls, raft, store, wire, groups, log,
                settings);
    }

    /** File of the audit log. */
    public Path auditFile() {
        return audit.file().orElseGet(() -> directory.resolve("audit.log"));
    }

    /** File of this namenode's join token. */
    public Path joinTokenFile() {
        return joinToken.orElseGet(() -> directory.resolve(JoinTokenFile.NAME));
    }

    /** The files that secure the log's own traffic; empty: it is plain. */
    Optional<RaftTls> logTls() {
        return raftTls.or(
                () -> wire.tls().map(files -> new RaftTls(files.key(), files.certificate(), files.authority())));
    }

    Address listenAddress() {
        return listen.orElseGet(() -> namenodes.get(id).address());
    }
}
