package io.ecfs.namenode.namespace;

import io.ecfs.error.EcfsException;
import io.ecfs.layout.Extent;
import io.ecfs.layout.InodeId;
import io.ecfs.layout.Policy;
import io.ecfs.message.Address;
import io.ecfs.message.DatanodeId;
import io.ecfs.message.FeatureLevel;
import io.ecfs.message.FilePath;
import io.ecfs.message.RequestId;
import io.ecfs.message.VolumeId;
import io.ecfs.message.namespace.NamespaceRequest.Mkdirs;
import io.ecfs.message.namespace.SealedGroup;
import io.ecfs.namenode.cluster.ClusterIdentity;
import io.ecfs.namenode.cluster.Counter;
import io.ecfs.namenode.cluster.Datanodes;
import io.ecfs.namenode.cluster.LevelInForce;
import io.ecfs.namenode.command.CallerIdentity;
import io.ecfs.namenode.command.Command;
import io.ecfs.namenode.group.Allocation;
import io.ecfs.namenode.group.ChunkOnVolume;
import io.ecfs.namenode.group.GroupFacts;
import io.ecfs.namenode.group.GroupOwner;
import io.ecfs.namenode.group.Sealing;
import io.ecfs.namenode.namespace.inode.Attributes;
import io.ecfs.namenode.namespace.inode.Directories;
import io.ecfs.namenode.namespace.inode.DirectorySettings;
import io.ecfs.namenode.namespace.inode.Inode;
import io.ecfs.namenode.namespace.inode.Inodes;
import io.ecfs.namenode.namespace.inode.Lease;
import io.ecfs.namenode.namespace.inode.Leases;
import io.ecfs.namenode.namespace.path.Permissions;
import io.ecfs.namenode.store.KeyValueStore.Table;
import io.ecfs.namenode.store.KeyValueStore.Transaction;
import io.ecfs.namenode.store.MemoryStore;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** A namespace in memory, built row by row, in one open transaction. */
public final class NamespaceRows implements AutoCloseable {
    public static final Policy POLICY = Policy.parse("rs-2-1-64k");
    public static final ClusterIdentity IDENTITY = new ClusterIdentity("cluster", "root", POLICY, 1);
    static final CallerIdentity SUPERUSER = new CallerIdentity("root", List.of());
    static final String CLIENT = "client";
    static final long NOW = 5000;

    final MemoryStore store = new MemoryStore();
    public final Transaction transaction = store.begin();
    public final Inode root = new Inode(
            InodeId.ROOT,
            Optional.empty(),
            "",
            new Attributes(0755, "root", "staff", 0, 0),
            new Inode.Directory(DirectorySettings.NONE));

    private final List<VolumeId> volumes = new ArrayList<>();
    private long lastInode = InodeId.ROOT.value();

    public NamespaceRows() {
        this(FeatureLevel.RELEASE);
    }

    public NamespaceRows(int level) {
        try {
            LevelInForce.raise(transaction, level);
            for (int i = 1; i <= POLICY.chunks(); i++) {
                volumes.addAll(Datanodes.register(
                                transaction,
                                new DatanodeId("dn" + i),
                                "uuid" + i,
                                new Address("host" + i, 1),
                                "/rack",
                                List.of("volume" + i))
                        .volumes()
                        .values());
            }
        } catch (EcfsException e) {
            throw new AssertionError(e);
        }
        Inodes.put(transaction, root);
        Counter.DIRECTORIES.add(transaction, 1);
    }

    public Inode directory(Inode parent, String name) {
        return add(parent, name, root.attributes(), new Inode.Directory(DirectorySettings.NONE));
    }

    public Inode file(Inode parent, String name, Extent... extents) {
        return add(parent, name, root.attributes(), new Inode.File(POLICY, false, List.of(extents)));
    }

    public Inode add(Inode parent, String name, Attributes attributes, Inode.Body body) {
        Inode inode = new Inode(new InodeId(++lastInode), Optional.of(parent.id()), name, attributes, body);
        Inodes.put(transaction, inode);
        Directories.put(transaction, parent.id(), name, inode.id());
        (inode.isDirectory() ? Counter.DIRECTORIES : Counter.FILES).add(transaction, 1);
        return inode;
    }

    /** An open group of the file, which its lease names. */
    GroupFacts openGroup(Inode file) throws EcfsException {
        GroupFacts group = Allocation.allocate(transaction, new GroupOwner.File(file.id()), POLICY, volumes, 1);
        Leases.put(
                transaction, new Lease(file.id(), CLIENT, Optional.of("root"), NOW, false, Optional.of(group.group())));
        return group;
    }

    /** Appends a sealed group of so many bytes to the file. */
    public GroupFacts append(Inode file, long bytes) throws EcfsException {
        GroupFacts open = Allocation.allocate(transaction, new GroupOwner.File(file.id()), POLICY, volumes, 1);
        SealedGroup word = new SealedGroup(
                open.group(),
                bytes,
                open.stored().stream().map(ChunkOnVolume::chunk).toList());
        GroupFacts sealed = Sealing.byWriter(transaction, open, word).orElseThrow();
        Inode present = Inodes.get(transaction, file.id());
        Inode.File body = (Inode.File) present.body();
        List<Extent> extents = new ArrayList<>(body.extents());
        extents.add(new Extent(body.length(), bytes, sealed.group(), 0));
        Inodes.put(transaction, present.withBody(new Inode.File(body.policy(), body.open(), extents)));
        return sealed;
    }

    public static Permissions permissions(String user, String... groups) {
        return new Permissions(IDENTITY, new CallerIdentity(user, List.of(groups)));
    }

    Scope scope(CallerIdentity caller) {
        Mkdirs mutation = new Mkdirs(new RequestId(CLIENT, 1), new FilePath("/any"), 0755, false);
        return Scope.of(
                transaction,
                IDENTITY,
                new Command.Call(NOW, caller, mutation, List.of(), Optional.empty(), Optional.empty()));
    }

    /** Rows of a table. */
    int count(Table table) {
        int[] rows = {0};
        transaction.scan(table, new byte[0], null, (key, value) -> {
            rows[0]++;
            return true;
        });
        return rows[0];
    }

    @Override
    public void close() {
        transaction.close();
        store.close();
    }
}
