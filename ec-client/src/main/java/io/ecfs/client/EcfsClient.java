package io.ecfs.client;

import io.ecfs.client.access.ReadPlans;
import io.ecfs.client.base.ClientConfig;
import io.ecfs.client.base.NamenodeCaller;
import io.ecfs.client.base.RequestIds;
import io.ecfs.client.health.Hedging;
import io.ecfs.client.local.LocalReads;
import io.ecfs.client.location.Lookup;
import io.ecfs.client.read.batch.Explanation;
import io.ecfs.client.read.batch.FileRange;
import io.ecfs.client.read.batch.RangeResult;
import io.ecfs.client.read.batch.ReadableFile;
import io.ecfs.client.read.span.ReadTimes;
import io.ecfs.client.read.stream.FileReader;
import io.ecfs.client.read.stream.FileReaders;
import io.ecfs.client.ring.RoleTimes;
import io.ecfs.client.update.UpdatableFile;
import io.ecfs.client.update.UpdateOptions;
import io.ecfs.client.write.EcfsOutputStream;
import io.ecfs.client.write.FileWriter;
import io.ecfs.client.write.Packing;
import io.ecfs.client.write.WriteServices;
import io.ecfs.client.write.pack.Packs;
import io.ecfs.code.kernel.GaloisKernel;
import io.ecfs.code.kernel.Kernels;
import io.ecfs.env.Environment;
import io.ecfs.env.real.FileNumbersFound;
import io.ecfs.env.real.RealEnvironment;
import io.ecfs.error.EcfsException;
import io.ecfs.error.ErrorCode;
import io.ecfs.layout.EncodingSide;
import io.ecfs.layout.InodeId;
import io.ecfs.layout.Policy;
import io.ecfs.layout.WriteSide;
import io.ecfs.message.FilePath;
import io.ecfs.message.Greeting;
import io.ecfs.message.RequestId;
import io.ecfs.message.chunk.BlockToken;
import io.ecfs.message.chunk.ChunkLocation;
import io.ecfs.message.chunk.ChunkReply;
import io.ecfs.message.namespace.AclEntry;
import io.ecfs.message.namespace.FileStatus;
import io.ecfs.message.namespace.LocatedGroup;
import io.ecfs.message.namespace.NamespaceReply;
import io.ecfs.message.namespace.NamespaceRequest;
import io.ecfs.message.namespace.XAttr;
import io.ecfs.message.report.WriteShare;
import io.ecfs.transfer.ChunkClient;
import io.ecfs.wire.Await;
import io.ecfs.wire.Caller;
import io.ecfs.wire.WireLoops;
import io.ecfs.wire.WireOptions;
import io.ecfs.wire.client.WireClient;
import io.ecfs.wire.file.FileReceiver;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

/**
 * A client of one cluster. Every call returns a future that completes with the answer or with {@link EcfsException},
 * and always within the deadlines of {@link ClientConfig}; {@link Await#result} makes it a blocking call. Futures
 * complete on threads that must not be blocked. Safe for use by several threads.
 */
public final class EcfsClient implements AutoCloseable {
    /** How long {@link #close} waits for the groups of small files to be sealed. */
    private static final Duration SEALED_WITHIN = Duration.ofSeconds(5);

    private final ClientParts parts;
    private final NamenodeCaller namenode;
    private final RequestIds requests;
    private final ClientConfig config;
    private final WriteServices writes;
    private final ClusterAdmin admin;
    private final LeaseRenewer leases;
    private final Packs packs;
    /** False when the namenodes turned out to know no packs. */
    private volatile boolean packsKnown = true;

    private final Set<FileWriter> writers = ConcurrentHashMap.newKeySet();
    private final AtomicBoolean closed = new AtomicBoolean();

    /**
     * As {@link #connect(ClusterUri, ClientConfig, Identity)}, with the defaults and for the user of this process.
     *
     * @param uri as {@link ClusterUri#resolve(String)} takes it: {@code ecfs://prod}
     */
    public static EcfsClient connect(String uri) throws EcfsException {
        return connect(ClusterUri.resolve(uri), ClientConfig.defaults(), Identity.ofThisProcess());
    }

    /**
     * A client over the network. It connects with its first call; closing it closes its connections.
     *
     * @throws EcfsException {@code INVALID_ARGUMENT} when a file of {@link ClientConfig#tls} cannot be used
     */
    public static EcfsClient connect(ClusterUri cluster, ClientConfig config, Identity identity) throws EcfsException {
        return connect(cluster, config, identity, UnaryOperator.identity());
    }

    /**
     * As {@link #connect(ClusterUri, ClientConfig, Identity)}, with a wrapper between the client and its network.
     *
     * @param network maps the caller of namenodes and datanodes to the one that is used in its place
     */
    public static EcfsClient connect(
            ClusterUri cluster, ClientConfig config, Identity identity, UnaryOperator<Caller> network)
            throws EcfsException {
        return connect(cluster, config, identity, network, Kernels.best());
    }

    /**
     * The same with a chosen kernel.
     *
     * @param kernel that encodes and decodes
     */
    public static EcfsClient connect(
            ClusterUri cluster,
            ClientConfig config,
            Identity identity,
            UnaryOperator<Caller> network,
            GaloisKernel kernel)
            throws EcfsException {
        WireLoops loops = WireLoops.open("ecfs-client-io", config.networkThreads());
        String role = config.context().isEmpty() ? "client" : "client " + config.context();
        Greeting.Hello hello =
                new Greeting.Hello(Greeting.PROTOCOL_VERSION, "", identity.user(), identity.groups(), role);
        WireClient wire = wire(loops, config, () -> hello);
        Optional<FileReceiver> receiver =
                config.local().on() ? FileReceiver.over(loops, FileNumbersFound.find()) : Optional.empty();
        Caller caller = network.apply(wire);
        return new EcfsClient(cluster, config, RealEnvironment.open(), caller, receiver, kernel, () -> {
            caller.close();
            wire.close();
            loops.close();
        });
    }

    private static WireClient wire(WireLoops loops, ClientConfig config, Supplier<Greeting.Hello> greeting)
            throws EcfsException {
        try {
            return new WireClient(loops, WireOptions.defaults(), config.tls(), greeting);
        } catch (EcfsException e) {
            loops.close();
            throw e;
        }
    }

    /**
     * A client over parts that others own.
     *
     * @param caller how to reach namenodes and datanodes; not closed here
     */
    public EcfsClient(
            ClusterUri cluster, ClientConfig config, Environment environment, Caller caller, GaloisKernel kernel) {
        this(cluster, config, environment, caller, Optional.empty(), kernel, () -> {});
    }

    private EcfsClient(
            ClusterUri cluster,
            ClientConfig config,
            Environment environment,
            Caller caller,
            Optional<FileReceiver> receiver,
            GaloisKernel kernel,
            Runnable disconnect) {
        parts = new ClientParts(cluster, config, environment, caller, receiver, kernel, disconnect);
        namenode = parts.namenode;
        requests = parts.requests;
        this.config = config;
        writes = parts.writes;
        leases = new LeaseRenewer(
                requests.client(), namenode, parts.owner, config, () -> writers.forEach(FileWriter::renewTokens));
        packs = new Packs(writes, parts.packers, parts.packedCells, environment.clock(), this::packWriter);
        admin = new ClusterAdmin(namenode, requests);
        namenode.learn().exceptionally(failure -> null); // a hint: who needs the cluster meets the failure itself
    }

    /** Queries and commands of operators. */
    public ClusterAdmin admin() {
        return admin;
    }

    /** Of a file or directory; fails with {@code NOT_FOUND}. */
    public CompletableFuture<FileStatus> status(FilePath path) {
        return ask(new NamespaceRequest.GetStatus(path), NamespaceReply.Status.class)
                .thenApply(NamespaceReply.Status::status);
    }

    /** A file or directory wherever it is by now; see {@link NamespaceRequest.GetInodeStatus}. */
    public CompletableFuture<FileStatus> status(InodeId inode) {
        return ask(new NamespaceRequest.GetInodeStatus(inode), NamespaceReply.Status.class)
                .thenApply(NamespaceReply.Status::status);
    }

    /** One page of a directory; see {@link NamespaceRequest.ListStatus}. */
    public CompletableFuture<NamespaceReply.Listing> list(FilePath path, String startAfter, int limit) {
        return ask(new NamespaceRequest.ListStatus(path, startAfter, limit), NamespaceReply.Listing.class);
    }

    /** One page of a file's extents and groups; see {@link NamespaceRequest.Locate}. */
    public CompletableFuture<NamespaceReply.Located> locate(FilePath path, long offset, long length) {
        return ask(new NamespaceRequest.Locate(path, offset, length), NamespaceReply.Located.class);
    }

    /** The cluster's default policy and those that are offered; any other that can be parsed may be set as well. */
    public CompletableFuture<NamespaceReply.Policies> policies() {
        return ask(new NamespaceRequest.ListPolicies(), NamespaceReply.Policies.class);
    }

    /** Bytes of all volumes that serve; what is used and free holds parity as well as data. */
    public CompletableFuture<NamespaceReply.Space> space() {
        return ask(new NamespaceRequest.GetSpace(), NamespaceReply.Space.class);
    }

    /**
     * Makes a directory; one that exists is fine.
     *
     * @param mode permission bits, octal 0 to 01777
     * @param createParents make the directories above; otherwise {@code NOT_FOUND} without the parent
     * @return fails with {@code ALREADY_EXISTS} where a file has the name
     */
    public CompletableFuture<Void> mkdirs(FilePath path, int mode, boolean createParents) {
        return change(id -> new NamespaceRequest.Mkdirs(id, path, mode, createParents));
    }

    /**
     * Moves a file or directory to a new full path, in constant time for any size.
     *
     * @param overwrite replace a file by a file, or an empty directory by a directory; otherwise {@code ALREADY_EXISTS}
     * @return fails with {@code NOT_FOUND}, {@code NOT_EMPTY}, {@code IS_A_DIRECTORY} or {@code NOT_A_DIRECTORY} for
     *     what cannot be replaced, {@code INVALID_ARGUMENT} for a place below itself
     */
    public CompletableFuture<Void> rename(FilePath from, FilePath to, boolean overwrite) {
        return change(id -> new NamespaceRequest.Rename(id, from, to, overwrite));
    }

    /**
     * Deletes a file or directory at once; its space comes back in the background.
     *
     * @param recursive with all that is in it, at once where the namenode can (very large directories of others than
     *     the superuser go in parts); otherwise {@code NOT_EMPTY} for a directory that has something
     * @return fails with {@code NOT_FOUND}
     */
    public CompletableFuture<Void> delete(FilePath path, boolean recursive) {
        return recursive
                ? new DeleteInParts(this).of(path, () -> change(id -> new NamespaceRequest.Delete(id, path, true)))
                : change(id -> new NamespaceRequest.Delete(id, path, false));
    }

    /** Permission bits, octal 0 to 01777; for the owner and the superuser, otherwise {@code ACCESS_DENIED}. */
    public CompletableFuture<Void> setMode(FilePath path, int mode) {
        return change(id -> new NamespaceRequest.SetMode(id, path, mode));
    }

    /**
     * An empty one stays. An owner may choose a group it is in; all else is the superuser's, otherwise
     * {@code ACCESS_DENIED}.
     */
    public CompletableFuture<Void> setOwner(FilePath path, Optional<String> user, Optional<String> group) {
        return change(id -> new NamespaceRequest.SetOwner(id, path, user, group));
    }

    /** Times in milliseconds since the epoch; an empty one stays. */
    public CompletableFuture<Void> setTimes(FilePath path, Optional<Long> modified, Optional<Long> accessed) {
        return change(id -> new NamespaceRequest.SetTimes(id, path, modified, accessed));
    }

    /** Empty: new files inherit the policy of the directory above again. */
    public CompletableFuture<Void> setPolicy(FilePath path, Optional<Policy> policy) {
        return change(id -> new NamespaceRequest.SetPolicy(id, path, policy));
    }

    /** Where parity is computed of what is written below a directory from now on. Empty: it is inherited again. */
    public CompletableFuture<Void> setEncoding(FilePath path, Optional<EncodingSide> side) {
        return change(id -> new NamespaceRequest.SetEncoding(id, path, side));
    }

    /** As {@link #setEncoding} and {@link #setPolicy}: both, or neither when it fails. */
    public CompletableFuture<Void> setEncodingAndPolicy(
            FilePath path, Optional<EncodingSide> side, Optional<Policy> policy) {
        var change = Optional.of(new NamespaceRequest.SetEncoding.PolicyChange(policy));
        return change(id -> new NamespaceRequest.SetEncoding(id, path, side, change));
    }

    /**
     * Up to which length files that are made below a directory share groups from now on.
     *
     * @param upTo bytes, 0: none does; empty: it is inherited again
     */
    public CompletableFuture<Void> setPacking(FilePath path, Optional<Long> upTo) {
        return change(id -> new NamespaceRequest.SetPacking(id, path, upTo));
    }

    /**
     * Fails with {@code ACCESS_DENIED} unless the caller may do all of this; see {@link NamespaceRequest.CheckAccess}.
     */
    public CompletableFuture<Void> checkAccess(FilePath path, int bits) {
        return ask(new NamespaceRequest.CheckAccess(path, bits), NamespaceReply.Done.class)
                .thenApply(done -> null);
    }

    /** See {@link NamespaceReply.Acl}. */
    public CompletableFuture<NamespaceReply.Acl> acl(FilePath path) {
        return ask(new NamespaceRequest.GetAcl(path), NamespaceReply.Acl.class);
    }

    /** See {@link NamespaceRequest.ChangeAcl}. */
    public CompletableFuture<Void> changeAcl(
            FilePath path, NamespaceRequest.ChangeAcl.Change change, List<AclEntry> entries) {
        return change(id -> new NamespaceRequest.ChangeAcl(id, path, change, entries));
    }

    /** Extended attributes that this user may see, in name order. */
    public CompletableFuture<List<XAttr>> xattrs(FilePath path) {
        return ask(new NamespaceRequest.GetXAttrs(path), NamespaceReply.XAttrs.class)
                .thenApply(NamespaceReply.XAttrs::attributes);
    }

    /** @param create whether it may be new, and {@code replace} whether it may be there already */
    public CompletableFuture<Void> setXAttr(FilePath path, XAttr attribute, boolean create, boolean replace) {
        return change(id -> new NamespaceRequest.SetXAttr(id, path, attribute, create, replace));
    }

    public CompletableFuture<Void> removeXAttr(FilePath path, String name) {
        return change(id -> new NamespaceRequest.RemoveXAttr(id, path, name));
    }

    /** See {@link NamespaceReply.Quota}. */
    public CompletableFuture<NamespaceReply.Quota> quota(FilePath path) {
        return ask(new NamespaceRequest.GetQuota(path), NamespaceReply.Quota.class);
    }

    /** See {@link NamespaceRequest.SetQuota}. */
    public CompletableFuture<Void> setQuota(FilePath path, Optional<Long> names, Optional<Long> space) {
        return change(id -> new NamespaceRequest.SetQuota(id, path, names, space));
    }

    /** One page of a search by name; see {@link NamespaceRequest.FindNames}. */
    public CompletableFuture<NamespaceReply.Found> find(
            FilePath path, String pattern, boolean anyCase, Optional<FilePath> after, int limit) {
        return ask(new NamespaceRequest.FindNames(path, pattern, anyCase, after, limit), NamespaceReply.Found.class);
    }

    /** Sums of one page of a directory; see {@link NamespaceRequest.SumDirectory}. */
    public CompletableFuture<NamespaceReply.Sums> sums(FilePath path, String startAfter, int limit) {
        return ask(new NamespaceRequest.SumDirectory(path, startAfter, limit), NamespaceReply.Sums.class);
    }

    /** Safe mode of the namenode, in which it refuses writes, and its reason. */
    public CompletableFuture<NamespaceReply.SafeMode> safeMode() {
        return ask(new NamespaceRequest.GetSafeMode(), NamespaceReply.SafeMode.class);
    }

    /** See {@link NamespaceRequest.SetSafeMode}. */
    public CompletableFuture<Void> setSafeMode(boolean on) {
        return change(id -> new NamespaceRequest.SetSafeMode(id, on));
    }

    /** True: the file is closed; false: its recovery has begun, ask again. */
    public CompletableFuture<Boolean> recoverLease(FilePath path) {
        return ask(new NamespaceRequest.RecoverLease(requests.next(), path), NamespaceReply.Recovery.class)
                .thenApply(NamespaceReply.Recovery::closed);
    }

    /** A file open for reading; see {@link FileReaders#open}. */
    public CompletableFuture<FileReader> open(FilePath path) {
        return parts.files.open(path, lookup(this::opened));
    }

    /** As {@link #open}, for a request that records its groups itself. */
    private Map<FilePath, CompletableFuture<ReadableFile>> openQuietly(Collection<FilePath> paths) {
        return parts.files.openAll(paths, lookup(located -> located));
    }

    private Lookup lookup(UnaryOperator<NamespaceReply.Located> seen) {
        return new Lookup() {
            @Override
            public CompletableFuture<NamespaceReply.Located> locate(NamespaceRequest.Locate file) {
                return ask(file, NamespaceReply.Located.class).thenApply(seen);
            }

            @Override
            public CompletableFuture<NamespaceReply.LocatedAll> locateAll(NamespaceRequest.LocateAll files) {
                return ask(files, NamespaceReply.LocatedAll.class);
            }

            @Override
            public CompletableFuture<FileStatus> status(InodeId inode) {
                return EcfsClient.this.status(inode);
            }
        };
    }

    private NamespaceReply.Located opened(NamespaceReply.Located located) {
        parts.accesses.opened(located.groups().stream().map(LocatedGroup::group).toList());
        return located;
    }

    /**
     * Reads many ranges of many files as one request, whose chunks are chosen together: where one datanode has chunks
     * of several it is asked for them, and one under load is not asked at all where others can serve. Cancelling the
     * result calls off what is under way for it.
     *
     * @return a result for each range, in their order: the bytes, or why there are none; a file that is not there fails
     *     alone, and so does a range of more than 1 GiB. Fails with {@code INVALID_ARGUMENT} for more than 4,096
     *     ranges, and when some file's code has fewer parity chunks than late binding is to ask for
     */
    public CompletableFuture<List<RangeResult>> readAll(List<FileRange> ranges) {
        return readAll(ranges, config.hedge().delta());
    }

    /**
     * As {@link #readAll(List)}, with late binding.
     *
     * @param delta how many more chunks of each block are asked than suffice; the first that do are taken
     * @return fails with {@code INVALID_ARGUMENT} for more than 4,096 ranges, and when some file's code has fewer
     *     parity chunks
     */
    public CompletableFuture<List<RangeResult>> readAll(List<FileRange> ranges, int delta) {
        return parts.joint.read(this::openQuietly, ranges, delta);
    }

    /**
     * Explains the chunks that {@link #readAll(List)} requests for these ranges; with {@code read} also the outcome.
     *
     * @return fails as the first range that cannot be read does, and as {@link #readAll(List)}
     */
    public CompletableFuture<Explanation> explain(List<FileRange> ranges, boolean read) {
        return parts.joint.explain(this::openQuietly, ranges, config.hedge().delta(), read);
    }

    /** Plans of reads of several blocks so far. */
    public ReadPlans.Counts planCounts() {
        return parts.plans.counts();
    }

    /** Times of this client's reads of several blocks, by phase. */
    public ReadTimes.Sums readTimes() {
        return parts.readTimes.sums();
    }

    /**
     * A new file, open for writing.
     *
     * @return fails with {@code INVALID_ARGUMENT} when the write budget does not hold one stripe of the file's policy
     */
    public CompletableFuture<EcfsOutputStream> create(FilePath path, CreateOptions options) {
        Optional<EcfsException> tooSmall = options.policy().flatMap(policy -> overBudget(path, policy));
        if (tooSmall.isPresent()) {
            return CompletableFuture.failedFuture(tooSmall.get());
        }
        boolean packable = packsKnown && options.packed().orElse(config.pack().on());
        return packable ? createPackable(path, options) : createWithGroup(path, options);
    }

    private CompletableFuture<EcfsOutputStream> createWithGroup(FilePath path, CreateOptions options) {
        return write(creating(path, options), NamespaceReply.Created.class, options.sync());
    }

    /** With a group after all where the namenodes know no packs. */
    private CompletableFuture<EcfsOutputStream> createPackable(FilePath path, CreateOptions options) {
        return write(
                        new NamespaceRequest.CreateWithoutGroup(creating(path, options)),
                        NamespaceReply.Status.class,
                        options.sync())
                .exceptionallyCompose(failure -> {
                    if (EcfsException.of(failure).code() != ErrorCode.UNSUPPORTED) {
                        return CompletableFuture.failedFuture(failure);
                    }
                    packsKnown = false;
                    return createWithGroup(path, options);
                });
    }

    private NamespaceRequest.Create creating(FilePath path, CreateOptions options) {
        return new NamespaceRequest.Create(
                requests.next(), path, options.mode(), options.overwrite(), options.createParents(), options.policy());
    }

    /**
     * A closed file, open to write on behind its end. To give it up leaves it with what was acknowledged.
     *
     * @param sync whether closing it puts the bytes on the datanodes' disks before it returns
     * @return fails with {@code LEASE_CONFLICT} while it is open elsewhere, or recovered
     */
    public CompletableFuture<EcfsOutputStream> append(FilePath path, boolean sync) {
        return write(new NamespaceRequest.Append(requests.next(), path), NamespaceReply.Created.class, sync);
    }

    /**
     * A file open to be read and written anywhere, by this client alone.
     *
     * @return fails with {@code LEASE_CONFLICT} while it is open elsewhere, or recovered
     */
    public CompletableFuture<UpdatableFile> update(FilePath path, UpdateOptions options) {
        Optional<EcfsException> refusal = options.refusal();
        if (refusal.isPresent()) {
            return CompletableFuture.failedFuture(refusal.get());
        }
        CompletableFuture<UpdatableFile> opened = openUpdate(path, options);
        return options.create()
                ? opened.exceptionallyCompose(
                        failure -> EcfsException.of(failure).code() == ErrorCode.NOT_FOUND
                                ? createEmpty(path).thenCompose(made -> openUpdate(path, options))
                                : CompletableFuture.failedFuture(failure))
                : opened;
    }

    private CompletableFuture<UpdatableFile> openUpdate(FilePath path, UpdateOptions options) {
        return parts.updates.open(
                path,
                options,
                lookup(located -> located),
                file -> tracked(new FileWriter(writes, file, FileWriter.Begin.UPDATED)));
    }

    /** Also when another client makes it at the same moment. */
    private CompletableFuture<Void> createEmpty(FilePath path) {
        return create(path, CreateOptions.defaults())
                .thenCompose(EcfsOutputStream::closeLater)
                .exceptionallyCompose(failure -> EcfsException.of(failure).code() == ErrorCode.ALREADY_EXISTS
                        ? CompletableFuture.completedFuture(null)
                        : CompletableFuture.failedFuture(failure));
    }

    /** Cuts a closed file from the length that it has now; see {@link NamespaceRequest.Truncate}. */
    public CompletableFuture<FileStatus> truncate(FilePath path, long length) {
        return status(path)
                .thenCompose(now -> ask(
                        new NamespaceRequest.Truncate(
                                requests.next(),
                                path,
                                length,
                                now.open() ? Optional.empty() : Optional.of(now.length())),
                        NamespaceReply.Status.class))
                .thenApply(NamespaceReply.Status::status);
    }

    /** Moves the bytes of closed files behind the end of another one; see {@link NamespaceRequest.Concat}. */
    public CompletableFuture<FileStatus> concat(FilePath target, List<FilePath> sources) {
        return ask(new NamespaceRequest.Concat(requests.next(), target, sources), NamespaceReply.Status.class)
                .thenApply(NamespaceReply.Status::status);
    }

    private CompletableFuture<EcfsOutputStream> write(
            NamespaceRequest request, Class<? extends NamespaceReply> answer, boolean sync) {
        long begin = writes.clock().nanos();
        return ask(request, answer).thenCompose(given -> {
            FileWriter writer = writer(request, given);
            Policy policy = writer.file().policy();
            writes.times()
                    .of(policy)
                    .asked(WriteSide.CLIENT, writes.clock().nanos() - begin); // not known yet who encodes
            track(writer);
            if (closed.get()) {
                return CompletableFuture.failedFuture(closedReason());
            }
            boolean packable = request instanceof NamespaceRequest.CreateWithoutGroup;
            EcfsOutputStream stream = new EcfsOutputStream(writes, writer, sync, packable ? packs : Packing.NONE);
            return overBudget(writer.file().path(), policy)
                    .map(refusal -> writer.abort()
                            .<EcfsOutputStream>handle((done, failure) -> null)
                            .thenCompose(gone -> CompletableFuture.<EcfsOutputStream>failedFuture(refusal)))
                    .orElseGet(() -> CompletableFuture.completedFuture(stream));
        });
    }

    private FileWriter writer(NamespaceRequest request, NamespaceReply given) {
        return given instanceof NamespaceReply.Created created
                ? new FileWriter(
                        writes,
                        created,
                        request instanceof NamespaceRequest.Append ? FileWriter.Begin.APPENDED : FileWriter.Begin.NEW)
                : new FileWriter(writes, ((NamespaceReply.Status) given).status());
    }

    private FileWriter packWriter(NamespaceReply.Created opened) {
        return tracked(new FileWriter(writes, opened, FileWriter.Begin.PACK));
    }

    /**
     * A future of this client for somebody who may hang anything on it, also what waits for other calls of this client:
     * it completes as the given one, on a thread that the client does not need. There are a few of these threads.
     */
    public <T> CompletableFuture<T> elsewhere(CompletableFuture<T> future) {
        // Not composed of the worker's own future: were that over already, what hangs on this one would run on the
        // client's thread.
        CompletableFuture<T> there = new CompletableFuture<>();
        future.whenComplete((result, failure) -> parts.answers
                .submit(() -> failure == null ? there.complete(result) : there.completeExceptionally(failure))
                .exceptionally(refused -> there.completeExceptionally(
                        failure != null ? failure : closed.get() ? closedReason() : refused)));
        return there;
    }

    /** Runs what may wait, also for other calls of this client, on one of the threads of {@link #elsewhere}. */
    public <T> CompletableFuture<T> apart(Callable<T> work) {
        return closed.get() ? CompletableFuture.failedFuture(closedReason()) : parts.answers.submit(work);
    }

    /** Requests the datanode's record of a chunk; see {@link ChunkClient#probe}. */
    public CompletableFuture<ChunkReply.Probed> probe(ChunkLocation location, BlockToken token) {
        return parts.datanodes.probe(location.address(), location.chunk(), location.volume(), token);
    }

    /** The checksums of a chunk's bytes without the bytes; see {@link ChunkClient#readChecksums}. */
    public CompletableFuture<int[]> checksums(ChunkLocation location, long offset, int bytes, BlockToken token) {
        return parts.datanodes.readChecksums(
                location.address(), location.chunk(), location.volume(), offset, bytes, token);
    }

    /** Times of this client's writes since it began, by policy and by who encoded. */
    public List<WriteShare> writeTimes() {
        return writes.times().shares();
    }

    /** How many groups this client encoded after all since no datanode would or could go on with it, by the reason. */
    public Map<ErrorCode, Long> relayFallbacks() {
        return writes.routes().fallbacks();
    }

    /** Number of chunk reads that this client has sent, and of those sent because others were late. */
    public Hedging.Counts readCounts() {
        return parts.health.counts();
    }

    /** Times of this client's reads of volumes in rings, by what these do, and how many reads were of writing ones. */
    public RoleTimes.Counts roleCounts() {
        return parts.health.roleCounts();
    }

    /** Buffers of reads and writes that are out at the moment; 0 when nothing is open and every call is answered. */
    public long loanedBuffers() {
        return parts.loanedBuffers();
    }

    /** Bytes reserved by reads and writes at the moment. */
    public long reservedBytes() {
        return parts.reservedBytes();
    }

    /** Bytes that were read from files of this machine, past the datanodes. */
    public long locallyReadBytes() {
        return parts.local.map(LocalReads::bytesRead).orElse(0L);
    }

    /**
     * Ends what is open: unfinished files are left to the namenode's recovery, calls and reads under way fail with
     * {@code CONNECTION_LOST}, and so does every later one. Times of writes that are not reported yet are sent to the
     * namenodes, whose answer is awaited for a second at most. A second call does nothing.
     */
    @Override
    public void close() {
        if (closed.getAndSet(true)) {
            return;
        }
        sealPacks();
        EcfsException reason = closedReason();
        CompletableFuture<?>[] ended = writers.stream()
                .map(writer -> {
                    writer.fail(reason);
                    return writer.ended().handle((done, failure) -> null);
                })
                .toArray(CompletableFuture<?>[]::new);
        CompletableFuture.allOf(ended).join();
        writes.reports().flush().join();
        parts.close(reason);
    }

    /** What is not sealed in time, recovery seals. */
    private void sealPacks() {
        CompletableFuture<Void> sealed = packs.seal();
        if (!sealed.isDone()) {
            CompletableFuture<Void> waited = new CompletableFuture<>();
            parts.owner.schedule(SEALED_WITHIN, () -> waited.complete(null));
            CompletableFuture.anyOf(sealed, waited).join();
        }
    }

    private static EcfsException closedReason() {
        return new EcfsException(ErrorCode.CONNECTION_LOST, "this client was closed");
    }

    /** The writer, which ends at once when this client is closed already. */
    private FileWriter tracked(FileWriter writer) {
        track(writer);
        if (closed.get()) {
            writer.fail(closedReason());
        }
        return writer;
    }

    private void track(FileWriter writer) {
        writers.add(writer);
        leases.opened();
        writer.ended().whenComplete((done, failure) -> {
            writers.remove(writer);
            leases.closed();
        });
    }

    private Optional<EcfsException> overBudget(FilePath path, Policy policy) {
        long needed = EcfsOutputStream.stripeMemoryBytes(policy);
        return needed <= writes.budget().totalBytes()
                ? Optional.empty()
                : Optional.of(new EcfsException(
                        ErrorCode.INVALID_ARGUMENT,
                        "cannot write " + path + ": one stripe of " + policy + " takes " + needed
                                + " bytes of memory, the client's writeBudgetBytes is "
                                + writes.budget().totalBytes() + "; raise it or choose a policy with smaller cells"));
    }

    private CompletableFuture<Void> change(Function<RequestId, NamespaceRequest.Mutation> request) {
        return ask(request.apply(requests.next()), NamespaceReply.class).thenApply(done -> null);
    }

    private <T extends NamespaceReply> CompletableFuture<T> ask(NamespaceRequest request, Class<T> kind) {
        return namenode.call(request, kind);
    }
}
