package io.ecfs.namenode.state;

import io.ecfs.error.EcfsException;
import io.ecfs.error.ErrorCode;
import io.ecfs.message.FeatureLevel;
import io.ecfs.message.RequestId;
import io.ecfs.message.namespace.NamespaceRequest;
import io.ecfs.message.namespace.NamespaceRequest.Mutation;
import io.ecfs.namenode.cluster.Counter;
import io.ecfs.namenode.cluster.LevelInForce;
import io.ecfs.namenode.entry.LogKinds;
import io.ecfs.namenode.row.Keys;
import io.ecfs.namenode.row.RowReader;
import io.ecfs.namenode.row.RowWriter;
import io.ecfs.namenode.store.KeyValueStore.Table;
import io.ecfs.namenode.store.KeyValueStore.Transaction;
import io.ecfs.namenode.store.KeyValueStore.View;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * Answers to calls, so that the same call sent again gets the same answer (HDFS: RetryCache; Raft dissertation, section
 * 6.3). Refusals are stored too, unless the same call may be sent again later: a client that was refused goes on, and a
 * repeat that arrives late must not have the effect after all.
 *
 * <p>A client's answers stay until its next call acknowledges them by the oldest number that it still waits for, at
 * most {@link #MOST_ANSWERS} of them. Each client has a session with a <em>floor</em>: below it answers are
 * acknowledged or evicted. Invariant: a call is carried out once or not at all. A call below the floor is rejected, and
 * so is one of no session or of one that is ending, unless it opens one: never carried out anew. A session ends when it
 * was idle for {@link #SESSION_MILLIS} of {@link LogTime}, or for {@link #CROWDED_MILLIS} while there are more than
 * {@link #MOST_SESSIONS}; every stored answer deletes a few rows of the past.
 *
 * <p>The key of a call is its user, client and number, and an answer is for the very same request: a digest of the
 * request is stored with it, and another request under the same number is rejected. Sessions that began at feature
 * level 1 have neither user nor digest until they end.
 *
 * <p>Calls in the log of 6e8d76b, whose clients knew no sessions, name no oldest number: a replay opens a session with
 * the first of each client. Every client that connects today opens one.
 */
final class RetryCache {
    static final long SESSION_MILLIS = 60 * 60 * 1000L;
    static final long CROWDED_MILLIS = NamespaceRequest.OpenSession.SHORTEST.toMillis();
    static final long MOST_SESSIONS = 1_000_000;
    /** Of one client. */
    static final long MOST_ANSWERS = 10_000;

    static final int CLEARED_AT_ONCE = 8;
    private static final int ENDED_AT_ONCE = 2;
    private static final int BY_REQUEST = 'R';
    private static final int BY_CLIENT = 'S';
    /** Of feature level 1, without a user. */
    private static final int OLD_REQUEST = 'r';

    private static final int OLD_CLIENT = 's';
    private static final int BY_AGE = 'q';
    private static final int SESSION_VERSION = 1;
    /** The floor of a session whose rows are being deleted. */
    private static final long ENDING = Long.MAX_VALUE;

    /** Bytes of SHA-256: no two requests with the same prefix can be constructed. */
    private static final int DIGEST_BYTES = 16;

    /** @param user empty: any caller that names the client, as at feature level 1 */
    private record Owner(Optional<String> user, String client) {
        byte[] session() {
            return key(BY_CLIENT, OLD_CLIENT).bytes();
        }

        byte[] answer(long number) {
            return key(BY_REQUEST, OLD_REQUEST).i64(number).bytes();
        }

        private RowWriter key(int named, int old) {
            RowWriter key = new RowWriter().u8(user.isPresent() ? named : old);
            user.ifPresent(key::text);
            return key.text(client);
        }
    }

    /**
     * @param activeMillis log time of the newest remembered answer
     * @param floor numbers below have no answer any more
     * @param cleared rows of numbers below are deleted; at most the floor
     */
    private record Session(long activeMillis, long floor, long cleared) {
        static Session find(View view, Owner owner) {
            byte[] bytes = view.get(Table.RETRIES, owner.session());
            if (bytes == null) {
                return null;
            }
            RowReader row = new RowReader(bytes);
            row.version(SESSION_VERSION, "session");
            Session session = new Session(row.i64(), row.i64(), row.i64());
            row.end();
            return session;
        }

        /** Nothing of it is left but rows to delete. */
        boolean ending() {
            return floor == ENDING;
        }

        void put(Transaction transaction, Owner owner) {
            transaction.put(
                    Table.RETRIES,
                    owner.session(),
                    new RowWriter()
                            .u8(SESSION_VERSION)
                            .i64(activeMillis)
                            .i64(floor)
                            .i64(cleared)
                            .bytes());
        }
    }

    private final Mutation mutation;
    private final RequestId request;
    private final Owner owner;
    /** Null: there is none. */
    private final Session session;

    private RetryCache(Mutation mutation, Owner owner, Session session) {
        this.mutation = mutation;
        this.request = mutation.request();
        this.owner = owner;
        this.session = session;
    }

    /** As the facts are; of no use once these have changed. */
    static RetryCache of(View view, String user, Mutation mutation) {
        String client = mutation.request().client();
        Owner old = new Owner(Optional.empty(), client);
        if (!LevelInForce.reached(view, FeatureLevel.OF_USERS)) {
            return new RetryCache(mutation, old, Session.find(view, old));
        }
        Owner named = new Owner(Optional.of(user), client);
        Session session = Session.find(view, named);
        if (session == null) {
            Session before = Session.find(view, old);
            if (before != null && !(before.ending() && mutation instanceof NamespaceRequest.OpenSession)) {
                return new RetryCache(mutation, old, before);
            }
        }
        return new RetryCache(mutation, named, session);
    }

    /** Returns whether the row with this key holds an answer. */
    static boolean isAnswer(byte[] key) {
        return key[0] == BY_REQUEST || key[0] == OLD_REQUEST;
    }

    /**
     * The remembered answer; empty when there is none.
     *
     * @throws EcfsException {@code INVALID_ARGUMENT} when it is the answer to another request of the same number
     */
    Optional<byte[]> answer(View view) throws EcfsException {
        byte[] row = view.get(Table.RETRIES, owner.answer(request.number()));
        if (row == null || owner.user().isEmpty()) {
            return Optional.ofNullable(row);
        } else if (!Arrays.equals(row, 0, DIGEST_BYTES, digest(), 0, DIGEST_BYTES)) {
            throw new EcfsException(
                    ErrorCode.INVALID_ARGUMENT,
                    "call " + request.number() + " of " + request.client()
                            + " was another request before: a client gives each of its calls a number of its own");
        }
        return Optional.of(Arrays.copyOfRange(row, DIGEST_BYTES, row.length));
    }

    /** Of the request as the log has it, which is the same whenever it is sent. */
    private byte[] digest() {
        RowWriter form = new RowWriter();
        LogKinds.MUTATIONS.write(form, mutation);
        try {
            return Arrays.copyOf(MessageDigest.getInstance("SHA-256").digest(form.bytes()), DIGEST_BYTES);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        }
    }

    /**
     * Checks that a call without a remembered answer may be carried out.
     *
     * @throws EcfsException {@code SESSION_EXPIRED} or {@code DUPLICATE_CALL}: it may have been carried out before
     */
    void admit() throws EcfsException {
        boolean opens = mutation instanceof NamespaceRequest.OpenSession;
        boolean over = session == null ? request.oldestOpen().isPresent() : session.ending();
        if (over && !opens) {
            throw new EcfsException(
                    ErrorCode.SESSION_EXPIRED,
                    "the session of " + request.client() + " has ended: whether call " + request.number()
                            + " was carried out before is unknown, it was not carried out now: check whether it took"
                            + " effect, then repeat it");
        } else if (session != null && request.number() < session.floor() && !(opens && session.ending())) {
            throw new EcfsException(
                    ErrorCode.DUPLICATE_CALL,
                    "the answer to call " + request.number() + " of " + request.client()
                            + " is acknowledged or dropped: it was not carried out again");
        }
    }

    void remember(Transaction transaction, byte[] answer, long nowMillis) {
        long time = LogTime.advance(transaction, nowMillis);
        EarlierAnswers.clear(transaction, nowMillis);
        long floor = Math.max(request.oldestOpen().orElse(0), request.number() - MOST_ANSWERS + 1);
        Session present = session;
        if (present == null) {
            present = new Session(time, floor, floor);
            queue(transaction, owner, time);
        } else if (!present.ending()) {
            floor = Math.max(floor, present.floor());
        }
        long cleared = clear(transaction, owner, present.cleared(), floor);
        new Session(time, floor, cleared).put(transaction, owner);
        RowWriter row = new RowWriter();
        if (owner.user().isPresent()) {
            row.raw(digest());
        }
        transaction.put(
                Table.RETRIES, owner.answer(request.number()), row.raw(answer).bytes());
        endIdle(transaction, time);
    }

    /**
     * Deletes some answers below the floor.
     *
     * @return up to where there are none
     */
    private static long clear(Transaction transaction, Owner owner, long from, long floor) {
        if (floor - from <= CLEARED_AT_ONCE) {
            for (long number = from; number < floor; number++) {
                transaction.delete(Table.RETRIES, owner.answer(number));
            }
            return floor;
        }
        List<byte[]> rows = some(transaction, owner, from, floor); // not every number has an answer
        rows.forEach(row -> transaction.delete(Table.RETRIES, row));
        return rows.size() < CLEARED_AT_ONCE ? floor : numberOf(rows.get(rows.size() - 1)) + 1;
    }

    /** Keys of the first answers to numbers in [from, to). */
    private static List<byte[]> some(Transaction transaction, Owner owner, long from, long to) {
        List<byte[]> keys = new ArrayList<>();
        transaction.scan(Table.RETRIES, owner.answer(from), owner.answer(to), (key, answer) -> {
            keys.add(key.clone());
            return keys.size() < CLEARED_AT_ONCE;
        });
        return keys;
    }

    private static void queue(Transaction transaction, Owner owner, long time) {
        RowWriter row = new RowWriter().i64(time).text(owner.client());
        owner.user().ifPresent(user -> row.needs(FeatureLevel.OF_USERS).text(user));
        transaction.put(
                Table.RETRIES, key(Counter.LAST_SESSION.next(transaction)), LevelInForce.within(transaction, row));
    }

    /** Scans the sessions that were queued longest ago: those in use are queued again, the others end. */
    private static void endIdle(Transaction transaction, long time) {
        for (int looked = 0; looked < ENDED_AT_ONCE; looked++) {
            long oldest = Counter.ENDED_SESSION.of(transaction) + 1;
            long sessions = Counter.LAST_SESSION.of(transaction) - oldest + 1;
            if (sessions == 0) {
                return;
            }
            long idle = sessions > MOST_SESSIONS ? CROWDED_MILLIS : SESSION_MILLIS;
            RowReader row = new RowReader(transaction.get(Table.RETRIES, key(oldest)));
            if (time - row.i64() < idle) {
                return;
            }
            String client = row.text();
            Owner owner = new Owner(row.more() ? Optional.of(row.text()) : Optional.empty(), client);
            Session session = Session.find(transaction, owner);
            if (session != null && !session.ending() && time - session.activeMillis() < idle) {
                queue(transaction, owner, session.activeMillis());
            } else if (session != null && !end(transaction, owner, session)) {
                return;
            }
            transaction.delete(Table.RETRIES, key(oldest));
            Counter.ENDED_SESSION.next(transaction);
        }
    }

    /** @return whether it is over; otherwise some of its answers are deleted, and all of them are evicted */
    private static boolean end(Transaction transaction, Owner owner, Session session) {
        List<byte[]> rows = some(transaction, owner, 0, Long.MAX_VALUE);
        rows.forEach(row -> transaction.delete(Table.RETRIES, row));
        if (rows.size() == CLEARED_AT_ONCE) {
            new Session(session.activeMillis(), ENDING, session.cleared()).put(transaction, owner);
            return false;
        }
        transaction.delete(Table.RETRIES, owner.session());
        return true;
    }

    private static long numberOf(byte[] key) {
        return ByteBuffer.wrap(key).getLong(key.length - Long.BYTES);
    }

    private static byte[] key(long age) {
        return new RowWriter().u8(BY_AGE).raw(Keys.number(age)).bytes();
    }
}
