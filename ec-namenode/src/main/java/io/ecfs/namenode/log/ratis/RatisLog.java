package io.ecfs.namenode.log.ratis;

import io.ecfs.env.Scheduler;
import io.ecfs.env.Workers;
import io.ecfs.env.real.DirectoryTree;
import io.ecfs.error.EcfsException;
import io.ecfs.error.ErrorCode;
import io.ecfs.message.snapshot.SnapshotReply;
import io.ecfs.namenode.log.LogIdentity;
import io.ecfs.namenode.log.MetadataLog;
import io.ecfs.namenode.log.ReplicatedState;
import io.ecfs.namenode.log.ReplicatedState.Position;
import io.ecfs.namenode.log.ratis.appender.LeaderProof;
import io.ecfs.namenode.log.ratis.checkpoint.Checkpoints;
import io.ecfs.namenode.log.ratis.checkpoint.SnapshotDownload;
import io.ecfs.namenode.log.ratis.checkpoint.SnapshotServer;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.ratis.protocol.RaftGroup;
import org.apache.ratis.server.RaftServer;
import org.apache.ratis.server.RaftServerConfigKeys;
import org.apache.ratis.server.protocol.TermIndex;
import org.apache.ratis.server.storage.RaftStorage;
import org.apache.ratis.server.storage.RaftStorageMetadata;
import org.apache.ratis.util.ExitUtils;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The replicated log on Ratis (Raft) over gRPC. A namenode opens one, over its state, and closes it at its end; the
 * state must outlive it. See the package for how the parts work together.
 */
public final class RatisLog implements MetadataLog {
    private static final Logger LOG = LoggerFactory.getLogger(RatisLog.class);
    private static final Duration DOWNLOAD_RETRY = Duration.ofMillis(500);
    private static final Duration LAST_ANSWERS = Duration.ofSeconds(5);

    static {
        // Ratis would end the process of a member that cannot listen. Its class takes uncaught exceptions of all
        // threads.
        Thread.UncaughtExceptionHandler handler = Thread.getDefaultUncaughtExceptionHandler();
        ExitUtils.disableSystemExit();
        Thread.setDefaultUncaughtExceptionHandler(handler);
    }

    /** Proofs of leadership that a read waits for. Both, but where a test shows what each is worth. */
    record ReadGuards(boolean lease, boolean majority) {
        static final ReadGuards BOTH = new ReadGuards(true, true);
    }

    private final RaftMember member;
    private final RaftTuning tuning;
    private final LogContext context;
    private final ReadGuards guards;
    private final Checkpoints checkpoints;
    private final StateAdapter adapter;
    private final LeaderProof proof;
    private final Joining joining;
    private final JoiningRounds joiningRounds;
    private final RaftServer server;
    private final RaftServer.Division division;
    private final MemberView members;
    private final Submission submission;
    private final Leaderships leaderships;
    private final Proposals proposals;
    private final Reads reads;
    private final RatisFailures failures;
    /** Notifies listeners and checks the role. */
    private final Scheduler events;
    /** Makes entries and gives answers. */
    private final Scheduler traffic;
    /** One download at a time. */
    private final Workers downloads;

    private final AtomicBoolean closed = new AtomicBoolean();
    private final AtomicBoolean shutDown = new AtomicBoolean();

    /**
     * Starts this namenode's part of the log and returns at once; who leads shows in {@link #leadership}. On an empty
     * directory it joins the group and gets everything from the others.
     *
     * @throws EcfsException {@code WRONG_CLUSTER} when the directory belongs to another cluster, {@code MALFORMED} when
     *     a file of the log is damaged, {@code INVALID_ARGUMENT} when it cannot listen on its address
     * @throws IOException when the directory, the address or the log in it cannot be used; the message says which
     */
    public static RatisLog open(RaftMember member, RaftTuning tuning, ReplicatedState state, LogContext context)
            throws IOException {
        return open(member, tuning, state, context, ReadGuards.BOTH);
    }

    static RatisLog open(
            RaftMember member, RaftTuning tuning, ReplicatedState state, LogContext context, ReadGuards guards)
            throws IOException {
        RatisLog log = null;
        try {
            log = new RatisLog(member, tuning, state, context, guards);
            log.start();
            return log;
        } catch (IOException | RuntimeException e) {
            if (log != null) {
                log.close();
            }
            Optional<EcfsException> damaged = DamagedLog.in(member, e);
            if (damaged.isPresent()) {
                throw damaged.get();
            }
            throw e;
        }
    }

    private RatisLog(RaftMember member, RaftTuning tuning, ReplicatedState state, LogContext context, ReadGuards guards)
            throws IOException {
        this.member = member;
        this.tuning = tuning;
        this.context = context;
        this.guards = guards;
        Path raft = member.directory().resolve("raft");
        Files.createDirectories(raft);
        refuseOtherClusters(raft, member);
        Set<String> others = new TreeSet<>(member.peers().keySet());
        others.remove(member.id());
        this.joining = Joining.open(member.id(), raft, others);
        this.checkpoints = new Checkpoints(
                member.directory().resolve("checkpoints"),
                tuning.checkpointsKept(),
                tuning.downloadIdle(),
                tuning.downloadMost(),
                context.environment().clock());
        this.adapter = new StateAdapter(
                member.id(),
                state,
                checkpoints,
                tuning.checkpointEvery(),
                member.directory().resolve("download"),
                this::download,
                this::lastInLog,
                new AdapterEvents());
        this.proof = new LeaderProof(member.peers().size());
        RaftGroup group = RaftSettings.group(member);
        this.server = RaftServer.newBuilder()
                .setServerId(group.getPeers().stream()
                        .filter(peer -> peer.getId().toString().equals(member.id()))
                        .findFirst()
                        .orElseThrow()
                        .getId())
                .setGroup(group)
                .setStateMachine(adapter)
                .setProperties(RaftSettings.properties(member, tuning, raft, !joining.over()))
                .setParameters(RaftSettings.parameters(
                        member, proof, checkpoints::at, new RaftRpcFilter(member.id(), member.log(), joining)))
                .setOption(RaftStorage.StartupOption.RECOVER)
                .build();
        this.division = server.getDivision(group.getGroupId());
        this.members = new MemberView(member, tuning.electionTimeoutMax().multipliedBy(3), division, adapter::applied);
        this.submission =
                new Submission(division, context.environment().randomness().uuid());
        this.events = context.environment().threads().scheduler(member.id() + "-log-events");
        this.traffic = context.environment().threads().scheduler(member.id() + "-log-traffic");
        this.downloads = context.environment().threads().workers(member.id() + "-log-download", 1, 1);
        this.joiningRounds = new JoiningRounds(
                member,
                context,
                joining,
                this::leader,
                tuning.electionTimeoutMin().dividedBy(10));
        this.leaderships = new Leaderships(member.id(), division.getInfo(), events);
        this.failures = new RatisFailures(
                member.id(),
                () -> leaderships.now().leading(),
                () -> leaderships.now().leader(),
                context.clientAddress());
        this.proposals = new Proposals(tuning, traffic, submission::append, failures);
        this.reads = new Reads(member.peers().size() == 1, leaderships, traffic, this::confirm, failures);
    }

    private static void refuseOtherClusters(Path raft, RaftMember member) throws IOException {
        try (DirectoryStream<Path> groups = Files.newDirectoryStream(raft, Files::isDirectory)) {
            for (Path found : groups) {
                String name = found.getFileName().toString();
                if (!name.equals(member.log().log().toString())) {
                    throw new EcfsException(
                            ErrorCode.WRONG_CLUSTER,
                            "directory " + raft + " of namenode " + member.id() + " holds log " + name + ", this is "
                                    + member.log() + "; give another directory");
                }
            }
        }
    }

    private void start() throws IOException {
        try {
            server.start();
        } catch (ExitUtils.ExitException e) {
            throw new EcfsException(
                    ErrorCode.INVALID_ARGUMENT,
                    "namenode " + member.id() + " cannot listen on "
                            + member.peers().get(member.id()) + " for the log: "
                            + e.getCause().getMessage() + "; stop what uses the port, or configure another",
                    e);
        }
        if (!joining.over()) {
            submission.pauseElections();
            joiningRounds.begin();
        }
        long first = division.getRaftLog().getStartIndex();
        long applied = adapter.applied().index();
        if (first > applied + 1) {
            throw new IOException("the log of namenode " + member.id() + " starts at entry " + first
                    + ", its state ends at entry " + applied + ": the state was lost or is older than the log; remove "
                    + member.directory() + " and the state's directory, and this namenode joins again by a checkpoint");
        }
        TermIndex inLog = applied < 0 ? null : division.getRaftLog().getTermIndex(applied);
        if (inLog != null && inLog.getTerm() != adapter.applied().term()) {
            throw new IOException("the state of namenode " + member.id() + " ends at entry " + adapter.applied()
                    + ", entry " + applied + " of its log has term " + inLog.getTerm() + ": one of the two is not its"
                    + " own; remove " + member.directory() + " and the state's directory, and this namenode joins again"
                    + " by a checkpoint");
        }
        Duration interval = tuning.electionTimeoutMin().dividedBy(10);
        events.scheduleWithFixedDelay(interval, interval, this::checkRole);
        LOG.info(
                "event=log_started namenode={} cluster={} log={} peers={} applied={}",
                member.id(),
                member.log().clusterId(),
                member.log().log(),
                member.peers(),
                applied);
    }

    private void checkRole() {
        if (division.getInfo().getLifeCycleState().isClosingOrClosed()) {
            shutDown();
            return;
        }
        leaderships.refresh();
        reads.abandonUnlessLeading();
        if (!joining.over() && members.hasCaughtUp(leaderships.now())) {
            submission.resumeElections();
            joining.caughtUp();
        }
    }

    private Optional<String> leader() {
        return leaderships.now().leader();
    }

    // The port

    @Override
    public CompletableFuture<byte[]> propose(byte[] command) {
        return leaderships.now().leading()
                ? proposals.propose(command)
                : CompletableFuture.failedFuture(failures.notLeader());
    }

    @Override
    public <T> CompletableFuture<T> read(LocalRead<T> read) {
        return reads.read(read);
    }

    @Override
    public Optional<LogIdentity> identity() {
        return Optional.of(member.log());
    }

    @Override
    public Leadership leadership() {
        return leaderships.now();
    }

    @Override
    public void onLeadership(LeadershipListener listener) {
        leaderships.add(listener);
    }

    @Override
    public List<Member> members() {
        return members.at(leaderships.now());
    }

    /** Serves this namenode's checkpoints to the others. */
    public SnapshotServer snapshots() {
        return new SnapshotServer(
                checkpoints,
                fresh -> adapter.openCheckpoint(division.getRaftLog().getStartIndex(), fresh),
                this::describe);
    }

    /**
     * Marks the log in this directory, which must be empty, as that of a first member: it votes and leads though it is
     * empty.
     */
    public static void markFormatted(Path directory) throws IOException {
        Joining.markFormatted(directory);
    }

    /**
     * Begins a log in this directory, which must be empty, behind a state that was restored from a backup: its first
     * entry has the index after the state's, and a term above the state's. Members with empty directories get the state
     * by a checkpoint.
     *
     * @param state position that the restored state is given
     */
    public static void formatBehind(Path directory, LogIdentity log, Position state) throws IOException {
        Path group = directory.resolve("raft").resolve(log.log().toString());
        Files.createDirectories(group);
        try (RaftStorage storage = RaftStorage.newBuilder()
                .setDirectory(group.toFile())
                .setOption(RaftStorage.StartupOption.FORMAT)
                .setLogCorruptionPolicy(RaftServerConfigKeys.Log.CorruptionPolicy.getDefault())
                .setStorageFreeSpaceMin(RaftServerConfigKeys.STORAGE_FREE_SPACE_MIN_DEFAULT)
                .build()) {
            storage.initialize();
            storage.getMetadataFile()
                    .persist(RaftStorageMetadata.valueOf(
                            state.term(), RaftStorageMetadata.getDefault().getVotedFor()));
        }
        for (Path made : List.of(group.resolve("current"), group, group.getParent(), directory)) {
            DirectoryTree.sync(made);
        }
    }

    /**
     * Namenodes that must describe their logs before this one, which started on an empty directory, may vote; empty
     * when it may.
     */
    public List<String> waitsFor() {
        return joining.over() ? List.of() : joining.missing();
    }

    /** Ratis's own part of this member. */
    RaftServer.Division division() {
        return division;
    }

    private long lastInLog() {
        return division.getRaftLog().getNextIndex() - 1;
    }

    private SnapshotReply.LogDescription describe() {
        TermIndex last = division.getRaftLog().getLastEntryTermIndex();
        long term = division.getInfo().getCurrentTerm();
        Joining.Standing standing = Joining.Standing.of(
                term,
                last == null ? new Position(0, -1) : new Position(last.getTerm(), last.getIndex()),
                adapter.applied());
        return new SnapshotReply.LogDescription(
                member.log().clusterId(),
                member.log().log().toString(),
                standing.term(),
                standing.last().term(),
                standing.last().index());
    }

    /** Begins to prove that this namenode leads after the call. */
    private CompletableFuture<Void> confirm() {
        CompletableFuture<Void> majority =
                guards.majority() ? proof.confirm() : CompletableFuture.completedFuture(null);
        if (!guards.lease()) {
            return majority;
        }
        return submission.confirmLease().thenCombine(majority, (lease, proven) -> null);
    }

    // Events of the state

    private final class AdapterEvents implements StateAdapter.Events {
        @Override
        public void roleMayHaveChanged() {
            events.execute(RatisLog.this::checkRole);
        }

        @Override
        public void ready(long term) {
            leaderships.ready(term);
            roleMayHaveChanged();
        }

        @Override
        public void checkpointed(Position position) {
            purge(position);
        }

        @Override
        public void shutDown() {
            RatisLog.this.shutDown();
        }

        @Override
        public void failed(Throwable cause) {
            RatisLog.this.failed(cause);
            roleMayHaveChanged();
        }
    }

    /**
     * Ratis closed itself. It says so when all of it is closed, and not when the writer of its log closes the group.
     */
    private void shutDown() {
        if (!closed.get() && adapter.failure().isEmpty() && shutDown.compareAndSet(false, true)) {
            LOG.error("event=log_shut_down namenode={} action=this_namenode_stops", member.id());
            failed(new IllegalStateException("Ratis shut down at namenode " + member.id() + "; its log says why"));
        }
    }

    private void failed(Throwable cause) {
        leaderships.end();
        context.onFailure().accept(cause);
    }

    private void purge(Position checkpoint) {
        long purge = new LogRetention(tuning.laggingEntries(), tuning.mostEntries())
                .purgeTo(checkpoint.index(), members.slowestCommit(), checkpoints.downloading());
        if (purge >= 0) {
            var unused = division.getRaftLog().purge(purge);
        }
    }

    /** A failed download is reported after a pause: the leader asks again at once. */
    private CompletableFuture<Position> download(Path target, long least) {
        Optional<String> leader = leaderships.now().leader();
        CompletableFuture<Position> fetched = leader.isEmpty()
                ? CompletableFuture.failedFuture(new EcfsException(ErrorCode.UNREACHABLE, "no leader is known"))
                : downloads.submit(
                        () -> new SnapshotDownload(context.peers(), leader.get(), member.log()).fetch(target, least));
        return fetched.exceptionallyCompose(failed -> {
            LOG.warn(
                    "event=checkpoint_download_failed namenode={} from={} retry_in={} error={}",
                    member.id(),
                    leader.orElse("unknown"),
                    DOWNLOAD_RETRY,
                    failed.toString());
            CompletableFuture<Position> later = new CompletableFuture<>();
            events.schedule(DOWNLOAD_RETRY, () -> later.completeExceptionally(failed));
            return later;
        });
    }

    // The end

    /** Stops this namenode's part; what was not answered fails with {@code NOT_LEADER}. Idempotent. */
    @Override
    public void close() {
        if (!closed.compareAndSet(false, true)) {
            return;
        }
        leaderships.end();
        proposals.close();
        reads.close();
        try {
            server.close();
        } catch (IOException | RuntimeException e) {
            LOG.warn("event=log_close_failed namenode={} error={}", member.id(), e.toString(), e);
        }
        proposals.abandon();
        awaitLastAnswers();
        joiningRounds.close();
        downloads.close();
        events.close();
        traffic.close();
        LOG.info("event=log_closed namenode={} applied={}", member.id(), adapter.applied());
    }

    private void awaitLastAnswers() {
        if (traffic.isCurrent()) {
            return;
        }
        CompletableFuture<Void> given = new CompletableFuture<>();
        traffic.execute(() -> given.complete(null));
        try {
            given.get(LAST_ANSWERS.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (ExecutionException | TimeoutException e) {
            LOG.warn("event=log_answers_cut namenode={} after={}", member.id(), LAST_ANSWERS);
        }
    }
}
