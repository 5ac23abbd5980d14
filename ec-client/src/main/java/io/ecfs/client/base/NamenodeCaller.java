package io.ecfs.client.base;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.ecfs.env.Clock;
import io.ecfs.env.Environment;
import io.ecfs.env.Randomness;
import io.ecfs.env.Scheduler;
import io.ecfs.error.EcfsException;
import io.ecfs.error.ErrorCode;
import io.ecfs.message.Address;
import io.ecfs.message.namespace.NamespaceReply;
import io.ecfs.message.namespace.NamespaceRequest;
import io.ecfs.message.namespace.NamespaceRequest.Mutation;
import io.ecfs.wire.Caller;
import io.ecfs.wire.Envelope;
import io.ecfs.wire.tls.TlsRefusal;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Calls the leading namenode. A namenode that does not lead names the leader; one that does not answer is skipped;
 * during safe mode and overload it retries. A call fails at its deadline, with an error that names every address that
 * was tried. Every attempt sends the same record, so a mutation has the same request id and takes effect once. A
 * session is opened before the first mutation, and again for a mutation that finds it expired on its first attempt.
 *
 * <p>Safe for use by several threads: they share the list of namenodes and the last known leader, both of them hints.
 */
public final class NamenodeCaller {
    private static final Logger LOG = LoggerFactory.getLogger(NamenodeCaller.class);
    /**
     * Age below which a call that finds no session had no effect; half of a session's least lifetime, since clocks
     * differ.
     */
    private static final Duration NEW_SESSION = NamespaceRequest.OpenSession.SHORTEST.dividedBy(2);

    /** Redirections followed without a pause, so that two namenodes that name each other cause no busy loop. */
    private static final int MAX_HOPS = 4;

    private final Caller caller;
    private final Clock clock;
    private final Randomness randomness;
    private final Scheduler scheduler;
    private final Pending pending;
    private final ClientConfig config;
    private final RequestIds requests;
    private volatile List<Address> known;
    private volatile Optional<Address> leader = Optional.empty();
    /** The opening of the present session, empty before the first. */
    @GuardedBy("this")
    private Optional<CompletableFuture<NamespaceReply.Done>> session = Optional.empty();

    /**
     * @param namenodes any of them, in any order, at least one
     * @param scheduler runs pauses between attempts
     * @param pending tracks the calls that are not answered yet
     * @param requests source of the ids of mutations
     */
    public NamenodeCaller(
            List<Address> namenodes,
            Caller caller,
            Environment environment,
            Scheduler scheduler,
            Pending pending,
            ClientConfig config,
            RequestIds requests) {
        this.requests = requests;
        this.caller = caller;
        this.clock = environment.clock();
        this.randomness = environment.randomness();
        this.scheduler = scheduler;
        this.pending = pending;
        this.config = config;
        this.known = List.copyOf(namenodes);
    }

    /** Requests the cluster's identity from any namenode and stores the list of its namenodes. */
    public CompletableFuture<NamespaceReply.Cluster> learn() {
        return call(new NamespaceRequest.GetCluster(), NamespaceReply.Cluster.class)
                .thenApply(cluster -> {
                    Set<Address> all = new LinkedHashSet<>(known);
                    all.addAll(cluster.namenodes());
                    known = List.copyOf(all);
                    LOG.debug("event=cluster_learned cluster={} namenodes={}", cluster.clusterId(), all);
                    return cluster;
                });
    }

    /**
     * Calls the leader.
     *
     * @return fails with {@link EcfsException}: the namenode's own refusal, or a retryable code with all addresses
     *     tried once the deadline has passed
     */
    public <T extends NamespaceReply> CompletableFuture<T> call(NamespaceRequest request, Class<T> kind) {
        return call(request, kind, config.namenodeDeadline());
    }

    /** As {@link #call(NamespaceRequest, Class)}, with a deadline of its own. */
    public <T extends NamespaceReply> CompletableFuture<T> call(
            NamespaceRequest request, Class<T> kind, Duration deadline) {
        Attempts<T> attempts = new Attempts<>(request, kind, deadline);
        if (request instanceof Mutation) {
            attempts.inSession(session());
        } else {
            attempts.next();
        }
        return attempts.result;
    }

    /** The opening of the present session, which is begun when there is none or when the last opening failed. */
    private CompletableFuture<NamespaceReply.Done> session() {
        Attempts<NamespaceReply.Done> opening;
        synchronized (this) {
            if (session.filter(opened -> !opened.isCompletedExceptionally()).isPresent()) {
                return session.get();
            }
            opening = new Attempts<>(
                    new NamespaceRequest.OpenSession(requests.next()),
                    NamespaceReply.Done.class,
                    config.namenodeDeadline());
            session = Optional.of(opening.result);
        }
        opening.next();
        return opening.result;
    }

    private synchronized void expired(CompletableFuture<NamespaceReply.Done> opened) {
        if (session.filter(present -> present == opened).isPresent()) {
            session = Optional.empty();
        }
    }

    /** Asks one namenode, whether it leads or not, once. */
    public <T extends NamespaceReply> CompletableFuture<T> callOne(
            Address namenode, NamespaceRequest request, Class<T> kind) {
        CompletableFuture<T> result = pending.with(new CompletableFuture<>());
        caller.call(namenode, request, config.callTimeout()).whenComplete((envelope, failure) -> {
            if (failure != null) {
                result.completeExceptionally(EcfsException.of(failure));
                return;
            }
            try {
                T reply = envelope.expect(kind);
                envelope.release();
                result.complete(reply);
            } catch (EcfsException e) {
                result.completeExceptionally(e);
            }
        });
        return result;
    }

    /**
     * Sends a request to every known namenode, once; best effort.
     *
     * @return completes when the leader has answered or failed; where none is known, when all have
     */
    public CompletableFuture<Void> tellAll(NamespaceRequest request) {
        Map<Address, CompletableFuture<Void>> sent = new LinkedHashMap<>();
        for (Address namenode : known) {
            sent.put(
                    namenode,
                    caller.call(namenode, request, config.callTimeout())
                            .thenAccept(Envelope::release)
                            .exceptionally(failure -> null));
        }
        return leader.map(sent::get)
                .orElseGet(() -> CompletableFuture.allOf(sent.values().toArray(CompletableFuture[]::new)));
    }

    /** One call with its retries; at any time one thread owns it, passed on through the call's future. */
    private final class Attempts<T extends NamespaceReply> {
        private final NamespaceRequest request;
        private final Class<T> kind;
        private final Duration deadline;
        private final CompletableFuture<T> result = pending.with(new CompletableFuture<>());
        private final long startNanos = clock.nanos();
        private final Map<Address, EcfsException> failures = new LinkedHashMap<>();
        private Optional<Address> redirect = Optional.empty();
        private int turn = randomness.nextInt(known.size());
        private int hops;
        private int silent;
        private int pauses;
        private Optional<CompletableFuture<NamespaceReply.Done>> session = Optional.empty();

        Attempts(NamespaceRequest request, Class<T> kind, Duration deadline) {
            this.request = request;
            this.kind = kind;
            this.deadline = deadline;
        }

        /** Begins once the session is open; fails as its opening does. */
        void inSession(CompletableFuture<NamespaceReply.Done> opening) {
            session = Optional.of(opening);
            opening.whenComplete((done, failure) -> {
                if (failure == null) {
                    next();
                } else {
                    fail(EcfsException.of(failure));
                }
            });
        }

        void next() {
            long left = deadline.minus(elapsed()).toNanos();
            if (left <= 0 || result.isDone()) {
                failAfterAttempts();
                return;
            }
            Address target = redirect.or(() -> leader).orElseGet(this::takeTurn);
            redirect = Optional.empty();
            Duration timeout =
                    Duration.ofNanos(Math.min(left, config.callTimeout().toNanos()));
            caller.call(target, request, timeout).whenComplete((envelope, failure) -> {
                if (failure == null) {
                    answered(target, envelope);
                } else {
                    failed(target, EcfsException.of(failure));
                }
            });
        }

        private Duration elapsed() {
            return Duration.ofNanos(clock.nanos() - startNanos);
        }

        private Address takeTurn() {
            List<Address> addresses = known;
            return addresses.get(Math.floorMod(turn++, addresses.size()));
        }

        private void answered(Address from, Envelope envelope) {
            try {
                T reply = envelope.expect(kind);
                envelope.release();
                if (!(request instanceof NamespaceRequest.GetCluster)) {
                    leader = Optional.of(from);
                }
                endCall();
                result.complete(reply);
            } catch (EcfsException e) {
                fail(e);
            }
        }

        private void failed(Address from, EcfsException failure) {
            failures.put(from, failure);
            switch (failure.code()) {
                case NOT_LEADER -> {
                    forget(from);
                    redirect = failure.hint().flatMap(NamenodeCaller::address).filter(a -> !a.equals(from));
                    goOn(redirect.isPresent() && ++hops <= MAX_HOPS);
                }
                case UNREACHABLE, CONNECTION_LOST, TIMEOUT -> {
                    forget(from);
                    if (refusedByAll()) {
                        failAfterAttempts();
                    } else {
                        goOn(++silent % known.size() != 0);
                    }
                }
                case SAFE_MODE, BUSY -> goOn(false);
                case SESSION_EXPIRED -> {
                    // A recent earlier attempt would have renewed the session: none had an effect, and one may in a new
                    // session.
                    if (session.isPresent() && elapsed().compareTo(NEW_SESSION) < 0) {
                        expired(session.get());
                        inSession(session());
                    } else {
                        fail(failure);
                    }
                }
                default -> fail(failure);
            }
        }

        /**
         * Returns whether all namenodes refused TLS: a retry is useless, since certificates and settings do not change
         * meanwhile.
         */
        private boolean refusedByAll() {
            return known.stream()
                    .allMatch(address -> Optional.ofNullable(failures.get(address))
                            .filter(failure -> failure.getCause() instanceof TlsRefusal)
                            .isPresent());
        }

        private void fail(EcfsException failure) {
            endCall();
            result.completeExceptionally(failure);
        }

        /** Ends the call before its result completes, so that the caller's next call acknowledges this one. */
        private void endCall() {
            if (request instanceof Mutation mutation) {
                requests.closed(mutation.request());
            }
        }

        private void goOn(boolean atOnce) {
            if (atOnce) {
                next();
                return;
            }
            hops = 0;
            scheduler.schedule(pause(), this::next);
        }

        private Duration pause() {
            long doubled = config.retryPause().toNanos() << Math.min(pauses++, 16);
            long most = Math.max(1, Math.min(doubled, config.retryPauseLimit().toNanos()));
            return Duration.ofNanos(most / 2 + Math.floorMod(randomness.nextLong(), most));
        }

        private void failAfterAttempts() {
            EcfsException last = failures.values().stream().reduce((a, b) -> b).orElse(null);
            ErrorCode code = last == null ? ErrorCode.TIMEOUT : last.code();
            String tried = failures.entrySet().stream()
                    .map(e -> e.getKey() + " (" + e.getValue().code() + ": "
                            + e.getValue().getMessage() + ")")
                    .collect(Collectors.joining("; "));
            fail(new EcfsException(
                    code,
                    request.getClass().getSimpleName()
                            + (refusedByAll()
                                    ? ": no namenode can be asked"
                                    : ": no leading namenode answered within "
                                            + config.namenodeDeadline().toSeconds() + " s")
                            + "; tried " + tried,
                    last));
        }
    }

    private void forget(Address address) {
        if (leader.filter(address::equals).isPresent()) {
            leader = Optional.empty();
        }
    }

    private static Optional<Address> address(String text) {
        try {
            return Optional.of(Address.parse(text));
        } catch (IllegalArgumentException e) {
            LOG.warn("event=bad_leader_hint hint=\"{}\" reason=\"{}\"", text, e.getMessage());
            return Optional.empty();
        }
    }
}
