package io.ecfs.datanode.server;

import io.ecfs.buffer.BufferPool;
import io.ecfs.datanode.relay.RelayService;
import io.ecfs.datanode.server.load.HandlingTime;
import io.ecfs.datanode.store.queue.VolumeQueue;
import io.ecfs.dispatch.HandlerTable;
import io.ecfs.env.Clock;
import io.ecfs.error.EcfsException;
import io.ecfs.error.ErrorCode;
import io.ecfs.layout.ChunkId;
import io.ecfs.message.Address;
import io.ecfs.message.chunk.BlockToken.Right;
import io.ecfs.message.chunk.ChunkChange;
import io.ecfs.message.chunk.ChunkRecord;
import io.ecfs.message.chunk.ChunkReply;
import io.ecfs.message.chunk.ChunkRequest;
import io.ecfs.message.chunk.VolumeLoad;
import io.ecfs.token.BlockTokenVerifier;
import io.ecfs.token.TokenUse;
import io.ecfs.wire.Envelope;
import io.ecfs.wire.Handler;
import io.ecfs.wire.PeerIdentity;
import io.ecfs.wire.Session;
import io.netty.buffer.ByteBuf;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;

/**
 * Answers {@link ChunkRequest}s. Runs on network threads and hands everything that touches a disk to the volume's
 * queue; requests of one connection about one chunk run in their order, also when they come before the answer to
 * {@code OpenChunk}.
 *
 * <p>Every message shows a token, which is checked before anything else; those that a chunk's writer sends after its
 * first carry the writer's number too, so that it can be fenced.
 */
public final class ChunkService implements Handler {
    /** Their handlers own the payload. */
    private static final Set<Class<?>> WITH_PAYLOAD = Set.of(
            ChunkRequest.WriteCells.class,
            ChunkRequest.RelayCell.class,
            ChunkRequest.PutChunk.class,
            ChunkRequest.WriteTail.class);

    private final Volumes volumes;
    private final BlockTokenVerifier tokens;
    private final boolean showFiles;
    private final Optional<String> fileSocket;
    private final Predicate<Address> onThisMachine;
    private final ChunkChangeNotifier notifier;
    private final ReadService reads;
    private final TailService tails;
    private final Clock clock;
    private final Optional<RelayService> relays;
    private final HandlerTable<ChunkRequest, Session, CompletableFuture<Envelope>> withoutPayload;
    // Where chunks are being made whose OpenChunk or PutChunk has not run yet; no chunk is opened twice on this
    // datanode.
    private final Map<ChunkId, ServedVolume> opening = new ConcurrentHashMap<>();

    /**
     * @param readBuffers reads wait for one of these
     * @param maxReadBytes most bytes in one read
     * @param showFiles whether readers of this machine get the names of files; by this constructor no reader is of
     *     this machine
     * @param relays for writers that do not encode; empty: every writer does
     */
    public ChunkService(
            Volumes volumes,
            BlockTokenVerifier tokens,
            BufferPool readBuffers,
            int maxReadBytes,
            boolean showFiles,
            ChangeSink changes,
            Clock clock,
            Optional<RelayService> relays) {
        this(
                volumes,
                tokens,
                readBuffers,
                maxReadBytes,
                showFiles,
                Optional.empty(),
                peer -> false,
                changes,
                clock,
                relays);
    }

    /**
     * @param fileSocket where files are passed open to readers of this machine; see {@link OpenFileService}
     * @param onThisMachine whether a connection comes from it; others get no absolute path
     */
    ChunkService(
            Volumes volumes,
            BlockTokenVerifier tokens,
            BufferPool readBuffers,
            int maxReadBytes,
            boolean showFiles,
            Optional<String> fileSocket,
            Predicate<Address> onThisMachine,
            ChangeSink changes,
            Clock clock,
            Optional<RelayService> relays) {
        this.clock = Objects.requireNonNull(clock, "clock");
        this.relays = Objects.requireNonNull(relays, "relays");
        this.fileSocket = fileSocket;
        this.onThisMachine = Objects.requireNonNull(onThisMachine, "onThisMachine");
        this.volumes = Objects.requireNonNull(volumes, "volumes");
        this.tokens = Objects.requireNonNull(tokens, "tokens");
        this.showFiles = showFiles;
        this.notifier = new ChunkChangeNotifier(volumes, Objects.requireNonNull(changes, "changes"));
        Objects.requireNonNull(readBuffers, "readBuffers");
        this.reads = new ReadService(volumes, tokens, readBuffers, maxReadBytes, notifier);
        this.tails = new TailService(volumes, tokens, readBuffers, maxReadBytes, this::writtenAt);
        this.withoutPayload = withoutPayload();
    }

    private HandlerTable<ChunkRequest, Session, CompletableFuture<Envelope>> withoutPayload() {
        HandlerTable<ChunkRequest, Session, CompletableFuture<Envelope>> handlers =
                HandlerTable.<ChunkRequest, Session, CompletableFuture<Envelope>>builder()
                        .on(
                                ChunkRequest.ReadChunk.class,
                                (session, read) ->
                                        reads.readAll(List.of(read), session).get(0))
                        .on(ChunkRequest.ReadChecksums.class, (session, read) -> reads.checksums(read, session))
                        .on(ChunkRequest.OpenChunk.class, (session, open) -> open(open, session))
                        .on(ChunkRequest.BeginRelay.class, (session, begin) -> beginRelay(begin, session))
                        .on(ChunkRequest.FinishChunk.class, (session, finish) -> finish(finish, session))
                        .on(ChunkRequest.AbortChunk.class, (session, abort) -> abort(abort, session))
                        .on(ChunkRequest.ProbeChunk.class, this::probe)
                        .on(ChunkRequest.SyncChunk.class, (session, sync) -> tails.sync(sync, session))
                        .on(ChunkRequest.CheckChunk.class, (session, check) -> tails.check(check, session))
                        .on(ChunkRequest.ProbeTail.class, (session, probe) -> tails.probe(probe, session))
                        .on(ChunkRequest.ReadTail.class, (session, read) -> tails.read(read, session))
                        .on(ChunkRequest.FindLocally.class, this::findLocally)
                        .build();
        HandlerTable.requireComplete(HandlerTable.records(ChunkRequest.class), List.of(handlers.kinds(), WITH_PAYLOAD));
        return handlers;
    }

    @Override
    public CompletableFuture<Envelope> handle(Session session, Envelope request) {
        ChunkRequest head;
        try {
            if (request.head() instanceof VolumeLoad.Ask ask) {
                request.release();
                return load(ask);
            }
            head = request.expect(ChunkRequest.class);
        } catch (EcfsException e) {
            return CompletableFuture.failedFuture(e);
        }
        if (head instanceof ChunkRequest.RelayCell cell) {
            return relay(cell, session, request.payload());
        }
        volumes.bytes().addWritten(request.payload().readableBytes());
        if (head instanceof ChunkRequest.WriteCells write) {
            return write(write, session, request.payload());
        }
        if (head instanceof ChunkRequest.PutChunk put) {
            return put(put, session, request.payload());
        }
        if (head instanceof ChunkRequest.WriteTail write) {
            return tails.write(write, session, request.payload());
        }
        request.release();
        try {
            return withoutPayload.handle(session, head);
        } catch (EcfsException e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    /** Reads of chunks that came together visit each volume once. */
    @Override
    public List<? extends CompletionStage<Envelope>> handleAll(Session session, List<Envelope> requests) {
        List<ChunkRequest.ReadChunk> all = new ArrayList<>();
        for (Envelope request : requests) {
            if (request.head() instanceof ChunkRequest.ReadChunk read) {
                all.add(read);
            }
        }
        if (all.size() < requests.size()) {
            return Handler.super.handleAll(session, requests);
        }
        requests.forEach(Envelope::release);
        return reads.readAll(all, session);
    }

    private CompletableFuture<Envelope> open(ChunkRequest.OpenChunk open, Session session) throws EcfsException {
        ChunkId chunk = open.chunk();
        tokens.require(open.token(), TokenUse.ofWriter(chunk, session.principal()));
        ServedVolume target = volumes.require(open.volume());
        claim(chunk, target);
        if (volumes.holding(chunk).isPresent()) {
            opening.remove(chunk, target);
            throw existsHere(chunk);
        }
        return onQueue(target, chunk, () -> {
                    create(target, open, session);
                    notifier.present(open.volume(), target, chunk);
                    return Envelope.of(new ChunkReply.Opened(chunk));
                })
                .whenComplete((opened, failure) -> opening.remove(chunk, target));
    }

    /** Chunks of rewrites may use the reserve: the leader places only those of cleaning there. */
    private static void create(ServedVolume target, ChunkRequest.OpenChunk open, Session session) throws EcfsException {
        if (isOfRewrite(open, session)) {
            target.volume().createInReserve(open.chunk(), open.token().stamp(), open.policy(), open.writer());
        } else {
            target.volume().create(open.chunk(), open.token().stamp(), open.policy(), open.writer());
        }
    }

    /** Returns whether a datanode opens a chunk with a token of its own: leaders give those for rewrites alone. */
    private static boolean isOfRewrite(ChunkRequest.OpenChunk open, Session session) {
        return session.identity() instanceof PeerIdentity.Datanode
                && open.token()
                        .scope()
                        .filter(scope -> scope.principal().equals(session.principal()))
                        .isPresent();
    }

    /** Owns the payload. */
    private CompletableFuture<Envelope> put(ChunkRequest.PutChunk put, Session session, ByteBuf payload) {
        CompletableFuture<Envelope> done;
        try {
            tokens.require(put.token(), TokenUse.ofWriter(put.chunk(), session.principal()));
            done = put(put, volumes.require(put.volume()), payload, HandlingTime.begin(clock, session));
        } catch (EcfsException e) {
            done = CompletableFuture.failedFuture(e);
        }
        return done.whenComplete((answer, failure) -> payload.release());
    }

    private CompletableFuture<Envelope> put(
            ChunkRequest.PutChunk put, ServedVolume target, ByteBuf payload, HandlingTime time) throws EcfsException {
        ChunkId chunk = put.chunk();
        claim(chunk, target);
        if (volumes.holding(chunk).filter(present -> !present.equals(target)).isPresent()) {
            opening.remove(chunk, target);
            throw existsHere(chunk);
        }
        return target.acknowledged(onQueue(
                        target,
                        chunk,
                        () -> notifier.tellingDamage(target, chunk, () -> {
                            ChunkRecord record = target.volume()
                                    .put(
                                            chunk,
                                            put.token().stamp(),
                                            put.policy(),
                                            put.writer(),
                                            put.bytes(),
                                            put.groupLength(),
                                            put.sync(),
                                            payload);
                            notifier.tell(new ChunkChange.Present(put.volume(), record));
                            return Envelope.of(new ChunkReply.Finished(chunk, time.micros()));
                        })))
                .whenComplete((answer, failure) -> opening.remove(chunk, target));
    }

    /**
     * Claims a chunk before it is searched for: the owner of an earlier claim has either made the chunk by now or still
     * claims it.
     *
     * @throws EcfsException {@code ALREADY_EXISTS} when somebody else does
     */
    private void claim(ChunkId chunk, ServedVolume target) throws EcfsException {
        if (opening.putIfAbsent(chunk, target) != null) {
            throw existsHere(chunk);
        }
    }

    private static EcfsException existsHere(ChunkId chunk) {
        return new EcfsException(ErrorCode.ALREADY_EXISTS, chunk + " is on this datanode already");
    }

    /** Owns the payload. */
    private CompletableFuture<Envelope> write(ChunkRequest.WriteCells write, Session session, ByteBuf payload) {
        ChunkId chunk = write.chunk();
        HandlingTime time = HandlingTime.begin(clock, session);
        CompletableFuture<Envelope> written;
        try {
            TokenUse use = TokenUse.bytes(chunk, Right.WRITE, write.offset(), write.bytes(), session.principal());
            boolean relayed = session.identity() instanceof PeerIdentity.Datanode;
            tokens.requireOfWriter(write.token(), relayed ? use.ofRelay() : use);
            ServedVolume target = writtenAt(chunk);
            written = target.acknowledged(onQueue(
                    target,
                    chunk,
                    () -> notifier.tellingDamage(target, chunk, () -> {
                        long length = target.volume()
                                .append(chunk, write.writer(), write.offset(), write.bytes(), write.tailOf(), payload);
                        return Envelope.of(new ChunkReply.Written(chunk, length, time.micros()));
                    })));
        } catch (EcfsException e) {
            written = CompletableFuture.failedFuture(e);
        }
        return written.whenComplete((answer, failure) -> payload.release());
    }

    private CompletableFuture<Envelope> beginRelay(ChunkRequest.BeginRelay begin, Session session)
            throws EcfsException {
        tokens.require(begin.token(), TokenUse.ofWriter(begin.chunk(), session.principal()));
        tokens.requireRelay(begin.relay(), begin.policy(), begin.targets(), session.principal());
        if (!begin.relay().group().equals(begin.token().group())
                || begin.relay().stamp() != begin.token().stamp()) {
            throw new EcfsException(
                    ErrorCode.TOKEN_REFUSED,
                    "relay token for " + begin.relay().group() + " refused: the block token is for another group");
        }
        return relays().begin(begin).thenApply(Envelope::of);
    }

    /** Owns the payload. */
    private CompletableFuture<Envelope> relay(ChunkRequest.RelayCell cell, Session session, ByteBuf payload) {
        CompletableFuture<Envelope> relayed;
        try {
            tokens.requireOfWriter(
                    cell.token(),
                    TokenUse.bytes(cell.chunk(), Right.WRITE, cell.offset(), cell.bytes(), session.principal()));
            relayed = relays().take(cell, payload, (target, write, bytes) -> writeHere(write, session, bytes))
                    .thenApply(Envelope::of);
        } catch (EcfsException | RuntimeException e) {
            relayed = CompletableFuture.failedFuture(e);
        }
        return relayed.whenComplete((answer, failure) -> payload.release());
    }

    /** A relayed cell of the chunk that is on this datanode. Owns the payload. */
    private CompletableFuture<ChunkReply.Written> writeHere(
            ChunkRequest.WriteCells write, Session session, ByteBuf payload) {
        volumes.bytes().addWritten(payload.readableBytes());
        return write(write, session, payload).thenApply(answer -> (ChunkReply.Written) answer.head());
    }

    private RelayService relays() throws EcfsException {
        return relays.orElseThrow(
                () -> new EcfsException(ErrorCode.UNSUPPORTED, "this datanode does not relay: write directly"));
    }

    private CompletableFuture<Envelope> finish(ChunkRequest.FinishChunk finish, Session session) throws EcfsException {
        ChunkId chunk = finish.chunk();
        HandlingTime time = HandlingTime.begin(clock, session);
        tokens.requireOfWriter(finish.token(), TokenUse.ofWriter(chunk, session.principal()));
        ServedVolume target = writtenAt(chunk);
        return onQueue(
                target,
                chunk,
                () -> notifier.tellingDamage(target, chunk, () -> {
                    target.volume()
                            .finish(chunk, finish.writer(), finish.chunkBytes(), finish.groupLength(), finish.sync());
                    notifier.present(notifier.numberOf(target), target, chunk);
                    return Envelope.of(new ChunkReply.Finished(chunk, time.micros()));
                }));
    }

    private CompletableFuture<Envelope> abort(ChunkRequest.AbortChunk abort, Session session) throws EcfsException {
        ChunkId chunk = abort.chunk();
        tokens.requireOfWriter(abort.token(), TokenUse.ofWriter(chunk, session.principal()));
        Optional<ServedVolume> target = holder(chunk);
        if (target.isEmpty()) {
            return CompletableFuture.completedFuture(Envelope.of(new ChunkReply.Aborted(chunk)));
        }
        return onQueue(target.get(), chunk, () -> {
            target.get().volume().abort(chunk, abort.writer());
            notifier.tell(new ChunkChange.Gone(notifier.numberOf(target.get()), chunk));
            return Envelope.of(new ChunkReply.Aborted(chunk));
        });
    }

    private CompletableFuture<Envelope> probe(Session session, ChunkRequest.ProbeChunk probe) throws EcfsException {
        ChunkId chunk = probe.chunk();
        tokens.require(probe.token(), TokenUse.noBytes(chunk, Right.READ, session.principal()));
        ServedVolume target = volumes.require(probe.volume());
        boolean absolute = onThisMachine.test(session.remote());
        return onQueue(target, chunk, () -> {
            target.volume().requireStamp(chunk, probe.token().stamp());
            ChunkRecord record = target.volume().probe(chunk);
            String file = target.volume().dataFile(chunk, absolute).orElse("");
            return Envelope.of(new ChunkReply.Probed(record, file));
        });
    }

    /** Behind what waits for the volume already. */
    private CompletableFuture<Envelope> load(VolumeLoad.Ask ask) throws EcfsException {
        VolumeQueue queue = volumes.require(ask.volume()).queue();
        return queue.submit(() -> Envelope.of(new VolumeLoad.Reply(ask.volume(), queue.queued())));
    }

    private CompletableFuture<Envelope> findLocally(Session session, ChunkRequest.FindLocally find)
            throws EcfsException {
        ChunkId chunk = find.chunk();
        tokens.require(find.token(), TokenUse.whole(chunk, Right.READ, session.principal()));
        ServedVolume target = volumes.require(find.volume());
        if (!showFiles) {
            throw new EcfsException(
                    ErrorCode.UNSUPPORTED, "this datanode does not show its files (store.showFiles is off)");
        } else if (!onThisMachine.test(session.remote())) {
            throw new EcfsException(
                    ErrorCode.UNSUPPORTED, "files are for readers of this machine, and the caller is of another one");
        }
        return onQueue(target, chunk, () -> {
            target.volume().requireStamp(chunk, find.token().stamp());
            ChunkReply.LocalFiles files = target.volume().local(chunk);
            return Envelope.of(fileSocket.map(files::at).orElse(files));
        });
    }

    private ServedVolume writtenAt(ChunkId chunk) throws EcfsException {
        ServedVolume target = holder(chunk)
                .orElseThrow(() -> new EcfsException(
                        ErrorCode.CHUNK_MISSING, chunk + " is not open on this datanode: open it, or write elsewhere"));
        notifier.numberOf(target);
        return target;
    }

    /** Volume of the chunk, now or when the tasks before in its volume's queue have run. */
    private Optional<ServedVolume> holder(ChunkId chunk) {
        Optional<ServedVolume> soon = Optional.ofNullable(opening.get(chunk));
        // A claim of a chunk that is here already is about to be refused.
        return volumes.holding(chunk).or(() -> soon);
    }

    private static CompletableFuture<Envelope> onQueue(ServedVolume target, ChunkId chunk, Callable<Envelope> work) {
        return target.queue().submit(chunk, work);
    }
}
