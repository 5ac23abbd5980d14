package io.ecfs.console.cluster;

import static org.awaitility.Awaitility.await;

import io.ecfs.client.ClusterAdmin;
import io.ecfs.client.CreateOptions;
import io.ecfs.client.EcfsClient;
import io.ecfs.client.update.UpdatableFile;
import io.ecfs.client.update.UpdateOptions;
import io.ecfs.client.write.EcfsOutputStream;
import io.ecfs.layout.Policy;
import io.ecfs.message.AdminState;
import io.ecfs.message.DatanodeId;
import io.ecfs.message.FilePath;
import io.ecfs.message.namespace.AclEntry;
import io.ecfs.message.namespace.FileStatus;
import io.ecfs.message.namespace.NamespaceReply;
import io.ecfs.message.namespace.NamespaceRequest.ChangeAcl;
import io.ecfs.message.namespace.XAttr;
import io.ecfs.wire.Await;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;

/**
 * A small tree that takes every kind of row, of call and of chunk file that a cluster without failures writes, and
 * lines that describe it as a client reads it.
 */
final class GoldenFiles {
    static final String POLICY = "rs-2-1-8k";
    static final int DATANODES = 5;
    /** Directories with the same content, made one after the other. */
    static final FilePath FIRST = new FilePath("/first");

    static final FilePath SECOND = new FilePath("/second");
    /** Files whose writers were lost. */
    static final List<FilePath> OPEN = List.of(new FilePath("/open-mirrored"), new FilePath("/open-coded"));

    private static final FilePath UPDATED = new FilePath("/updated/file");
    /** A directory whose files have a chunk on every datanode in service. */
    static final FilePath WIDE = new FilePath("/families/crs-2-2-8k");

    /** Of each family of codes one with at most four chunks. */
    private static final List<String> FAMILIES = List.of(
            "rs-van-2-1-8k",
            "xor-2-1-8k",
            "replication-3-8k",
            "lrc-2-1-1-8k",
            "clay-2-2-3-8k",
            "crs-2-2-8k",
            "liberation-2-2-28k",
            "shec-2-2-1-8k");

    private static final int STRIPE = 2 * (8 << 10);
    private static final int PAGE = 100;

    private GoldenFiles() {}

    static FilePath grown(FilePath top) {
        return top.child("grown");
    }

    /** Makes a directory of files by every call that changes the namespace. */
    static void write(EcfsClient client, String uri, FilePath top) throws IOException {
        Await.result(client.mkdirs(top, 0755, true));
        TestCluster.write(client, top.child("small").text(), Pattern.bytes(1, 1000));
        TestCluster.write(client, top.child("empty").text(), new byte[0]);
        TestCluster.write(client, top.child("stripes").text(), Pattern.bytes(2, STRIPE + 9001));
        write(client, top.child("synced"), CreateOptions.defaults().withSync(true), Pattern.bytes(3, 5000));
        write(client, top.child("synced"), CreateOptions.defaults().withOverwrite(true), Pattern.bytes(4, 5001));

        TestCluster.write(client, grown(top).text(), Pattern.bytes(4, 3000));
        try (EcfsOutputStream out = Await.result(client.append(grown(top), false))) {
            out.write(Pattern.bytes(5, 2000));
            out.hsync();
        }
        TestCluster.write(client, top.child("cut").text(), Pattern.bytes(6, 9000));
        Await.result(client.truncate(top.child("cut"), 4097));
        TestCluster.write(client, top.child("joined").text(), Pattern.bytes(7, 100));
        TestCluster.write(client, top.child("second").text(), Pattern.bytes(8, 100));
        Await.result(client.concat(top.child("joined"), List.of(top.child("second"))));
        TestCluster.write(client, top.child("before").text(), Pattern.bytes(9, 10));
        Await.result(client.rename(top.child("before"), top.child("\u00fcber"), false));
        Await.result(client.create(top.child("given-up"), CreateOptions.defaults()))
                .abort();
        try (EcfsClient writer = TestCluster.client(uri)) {
            leaveOpen(writer, top.child("recovered"), Pattern.bytes(10, STRIPE + 700));
        }
        await("the file of a client that ended is closed")
                .atMost(TestCluster.PATIENCE)
                .until(() -> Await.result(client.recoverLease(top.child("recovered"))));
        settings(client, top.child("settled"));
        delete(client, top);
    }

    private static void settings(EcfsClient client, FilePath settled) throws IOException {
        Await.result(client.mkdirs(settled, 0750, true));
        Await.result(client.setPolicy(settled, Optional.of(Policy.parse("replication-3-8k"))));
        Await.result(client.setQuota(settled, Optional.of(100L), Optional.of(1L << 40)));
        Await.result(client.changeAcl(
                settled,
                ChangeAcl.Change.MODIFY,
                List.of(
                        new AclEntry(AclEntry.Scope.ACCESS, AclEntry.Type.USER, "eve", 5),
                        new AclEntry(AclEntry.Scope.DEFAULT, AclEntry.Type.GROUP, "team", 7))));
        FilePath copies = settled.child("copies");
        TestCluster.write(client, copies.text(), Pattern.bytes(11, 3000));
        byte[] value = "value".getBytes(StandardCharsets.UTF_8);
        Await.result(client.setXAttr(copies, new XAttr("user.note", value), true, false));
        Await.result(client.setXAttr(copies, new XAttr("user.gone", value), true, false));
        Await.result(client.removeXAttr(copies, "user.gone"));
        Await.result(client.setMode(copies, 0640));
        Await.result(client.setOwner(copies, Optional.of("eve"), Optional.of("team")));
        Await.result(client.setTimes(copies, Optional.of(1_000_000_000_000L), Optional.of(1_100_000_000_000L)));
    }

    /** Deletes what it makes: with a delay of garbage, deletions and garbage are there for a while. */
    static void delete(EcfsClient client, FilePath top) throws IOException {
        TestCluster.write(client, top.child("gone").text(), Pattern.bytes(12, 6000));
        Await.result(client.delete(top.child("gone"), false));
        FilePath directory = top.child("gone-directory");
        TestCluster.write(client, directory.child("file").text(), Pattern.bytes(13, 6000));
        Await.result(client.delete(directory, true));
    }

    /** Updates a file in place, and has the cost of a conversion counted. */
    static void update(EcfsClient client) throws IOException {
        TestCluster.write(client, UPDATED.text(), Pattern.bytes(15, STRIPE + 3000));
        try (UpdatableFile file = Await.result(client.update(UPDATED, UpdateOptions.defaults()))) {
            Await.result(file.write(1000, ByteBuffer.wrap(Pattern.bytes(16, 5000))));
            Await.result(file.write(STRIPE, ByteBuffer.wrap(Pattern.bytes(17, 100))));
        }
        Await.result(client.admin().convert(UPDATED.parent(), Policy.parse("rs-3-1-8k"), true));
    }

    /** Makes a file of each family of codes. */
    static void writeFamilies(EcfsClient client) throws IOException {
        for (String name : FAMILIES) {
            Policy policy = Policy.parse(name);
            FilePath directory = new FilePath("/families").child(name);
            Await.result(client.mkdirs(directory, 0755, true));
            Await.result(client.setPolicy(directory, Optional.of(policy)));
            TestCluster.write(
                    client, directory.child("file").text(), Pattern.bytes(14, (int) policy.stripeBytes() + 1234));
        }
    }

    /**
     * The cluster's settings and duties of datanodes; the last datanode ends up empty, with a chunk of each group it
     * had on another one.
     */
    static void administer(EcfsClient client) throws IOException {
        ClusterAdmin admin = client.admin();
        Await.result(client.setSafeMode(true));
        Await.result(client.setSafeMode(false));
        Await.result(admin.setThrottles(Optional.of(50L), Optional.empty(), Optional.empty()));
        DatanodeId away = new DatanodeId("dn1");
        Await.result(admin.setDuty(away, AdminState.State.IN_MAINTENANCE, Optional.of(Duration.ofHours(1))));
        Await.result(admin.setDuty(away, AdminState.State.IN_SERVICE, Optional.empty()));
        DatanodeId last = new DatanodeId("dn" + (DATANODES - 1));
        Await.result(admin.setDuty(last, AdminState.State.IN_SERVICE, Optional.empty()));
        Await.result(admin.setDuty(last, AdminState.State.DECOMMISSIONING, Optional.empty()));
        await("all chunks of " + last + " lie elsewhere")
                .atMost(TestCluster.PATIENCE)
                .until(() -> Await.result(admin.report()).datanodes().stream()
                        .anyMatch(d -> d.id().equals(last) && d.duty().state() == AdminState.State.DECOMMISSIONED));
    }

    /** Begins files that stay open: their bytes are in chunks, and in tail logs by records of both forms. */
    static void leaveOpen(EcfsClient client) throws IOException {
        leaveOpen(client, OPEN.get(0), Pattern.bytes(15, STRIPE + 500), Pattern.bytes(16, 700));
        leaveOpen(client, OPEN.get(1), Pattern.bytes(17, STRIPE - 3000));
    }

    private static void leaveOpen(EcfsClient client, FilePath path, byte[]... parts) throws IOException {
        EcfsOutputStream out = Await.result(client.create(path, CreateOptions.defaults()));
        for (byte[] part : parts) {
            out.write(part);
            out.hsync();
        }
    }

    private static void write(EcfsClient client, FilePath path, CreateOptions options, byte[] bytes)
            throws IOException {
        try (EcfsOutputStream out = Await.result(client.create(path, options))) {
            out.write(bytes);
        }
    }

    /** A line for each file and directory: what the namespace says of it, and the bytes that were read. */
    static List<String> describe(EcfsClient client) throws IOException {
        return describe(client, FilePath.ROOT);
    }

    static List<String> describe(EcfsClient client, FilePath top) throws IOException {
        List<String> lines = new ArrayList<>();
        describe(client, Await.result(client.status(top)), lines);
        return lines;
    }

    private static void describe(EcfsClient client, FileStatus status, List<String> lines) throws IOException {
        FilePath path = status.path();
        StringBuilder line = new StringBuilder()
                .append(status.directory() ? "directory " : "file ")
                .append(path.text())
                .append(' ')
                .append(Integer.toOctalString(status.mode()))
                .append(' ')
                .append(status.owner())
                .append(' ')
                .append(status.group())
                .append(' ')
                .append(status.policy().name());
        Await.result(client.acl(path))
                .entries()
                .forEach(entry -> line.append(" acl=")
                        .append(entry.scope())
                        .append(':')
                        .append(entry.type())
                        .append(':')
                        .append(entry.name())
                        .append(':')
                        .append(entry.bits()));
        for (XAttr attribute : Await.result(client.xattrs(path))) {
            line.append(' ')
                    .append(attribute.name())
                    .append('=')
                    .append(HexFormat.of().formatHex(attribute.value()));
        }
        if (!status.directory()) {
            if (!OPEN.contains(path)) { // their recovery is a modification
                line.append(" modified=").append(status.modifiedMillis());
            }
            byte[] bytes = TestCluster.read(client, path.text());
            line.append(" bytes=").append(bytes.length).append(" sha256=").append(sha256(bytes));
            lines.add(line.toString());
            return;
        }
        NamespaceReply.Quota quota = Await.result(client.quota(path));
        if (quota.names().isPresent()) {
            line.append(" names=")
                    .append(quota.namesUsed())
                    .append('/')
                    .append(quota.names().get());
            line.append(" space=")
                    .append(quota.spaceUsed())
                    .append('/')
                    .append(quota.space().get());
        }
        lines.add(line.toString());
        TreeMap<String, FileStatus> children = new TreeMap<>();
        Await.result(client.list(path, "", PAGE))
                .entries()
                .forEach(child -> children.put(child.path().text(), child));
        for (FileStatus child : children.values()) {
            describe(client, child, lines);
        }
    }

    private static String sha256(byte[] bytes) {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
        } catch (NoSuchAlgorithmException e) {
            throw new AssertionError(e);
        }
    }
}
