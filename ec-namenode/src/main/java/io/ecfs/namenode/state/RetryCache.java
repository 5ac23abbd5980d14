package io.ecfs.namenode.state;

import io.ecfs.error.EcfsException;
import io.ecfs.error.ErrorCode;
import io.ecfs.message.NamespaceRequest;
import io.ecfs.message.NamespaceRequest.Mutation;
import io.ecfs.message.RequestId;
import io.ecfs.namenode.cluster.Counter;
import io.ecfs.namenode.row.Keys;
import io.ecfs.namenode.row.RowReader;
import io.ecfs.namenode.row.RowWriter;
import io.ecfs.namenode.store.KeyValueStore.Table;
import io.ecfs.namenode.store.KeyValueStore.Transaction;
import io.ecfs.namenode.store.KeyValueStore.View;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * The answers to calls, so that the same call sent again gets the same answer (HDFS: RetryCache; Raft dissertation,
 * section 6.3). Refusals are remembered too, unless the same call may be sent again later: a client that was refused
 * goes on, and a repeat that arrives late must not have the effect after all.
 *
 * <p>A client's answers stay until its next call acknowledges them by the oldest number that it still waits for, at
 * most {@link #MOST_ANSWERS} of them. Each client has a session with a <em>floor</em>: below it answers are
 * acknowledged or let go. What always holds: a call is carried out once or not at all. A call below the floor is
 * refused, and so is one of no session, unless it opens one: never carried out anew. A session ends when it was idle
 * for {@link #SESSION_MILLIS} of {@link LogTime}, or for {@link #CROWDED_MILLIS} while there are more than {@link
 * #MOST_SESSIONS}; every remembered answer clears away a few rows of the past.
 *
 * <p>Calls in the log of 6e8d76b, whose clients knew no sessions, name no oldest number: a replay opens a session
 * with the first of each client. Every client that connects today opens one.
 */
final class RetryCache {
    static final long SESSION_MILLIS = 60 * 60 * 1000L;
    static final long CROWDED_MILLIS = NamespaceRequest.OpenSession.SHORTEST.toMillis();
    static final long MOST_SESSIONS = 1_000_000;
    /** Of one client. */
    static final long MOST_ANSWERS = 10_000;

    static final int CLEARED_AT_ONCE = 8;
    private static final int ENDED_AT_ONCE = 2;
    private static final int BY_REQUEST = 'r';
    private static final int BY_CLIENT = 's';
    private static final int BY_AGE = 'q';
    private static final int SESSION_VERSION = 1;
    /** The floor of a session whose rows are being deleted. */
    private static final long ENDING = Long.MAX_VALUE;

    /**
     * @param activeMillis log time of the newest remembered answer
     * @param floor numbers below have no answer any more
     * @param cleared rows of numbers below are deleted; at most the floor
     */
    private record Session(long activeMillis, long floor, long cleared) {
        static Session find(View view, String client) {
            byte[] bytes = view.get(Table.RETRIES, key(client));
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

        void put(Transaction transaction, String client) {
            transaction.put(
                    Table.RETRIES,
                    key(client),
                    new RowWriter()
                            .u8(SESSION_VERSION)
                            .i64(activeMillis)
                            .i64(floor)
                            .i64(cleared)
                            .bytes());
        }
    }

    private RetryCache() {}

    /** Whether the row with this key holds an answer. */
    static boolean isAnswer(byte[] key) {
        return key[0] == BY_REQUEST;
    }

    /** Null when there is none. */
    static byte[] find(View view, RequestId request) {
        return view.get(Table.RETRIES, key(request.client(), request.number()));
    }

    /**
     * Whether a call without a remembered answer may be carried out.
     *
     * @throws EcfsException {@code SESSION_EXPIRED} or {@code DUPLICATE_CALL}: it may have been carried out before
     */
    static void admit(View view, Mutation mutation) throws EcfsException {
        RequestId request = mutation.request();
        Session session = Session.find(view, request.client());
        boolean opens = mutation instanceof NamespaceRequest.OpenSession;
        if (session == null && !opens && request.oldestOpen().isPresent()) {
            throw new EcfsException(
                    ErrorCode.SESSION_EXPIRED,
                    "the session of " + request.client() + " has ended: whether call " + request.number()
                            + " was carried out before is unknown, it was not carried out now: check whether it took effect, then"
                            + " repeat it");
        } else if (session != null && request.number() < session.floor() && !(opens && session.ending())) {
            throw new EcfsException(
                    ErrorCode.DUPLICATE_CALL,
                    "the answer to call " + request.number() + " of " + request.client()
                            + " is acknowledged or dropped: it was not carried out again");
        }
    }

    static void remember(Transaction transaction, RequestId request, byte[] answer, long nowMillis) {
        long time = LogTime.advance(transaction, nowMillis);
        EarlierAnswers.clear(transaction, nowMillis);
        String client = request.client();
        long floor = Math.max(request.oldestOpen().orElse(0), request.number() - MOST_ANSWERS + 1);
        Session session = Session.find(transaction, client);
        if (session == null) {
            session = new Session(time, floor, floor);
            queue(transaction, client, time);
        } else if (!session.ending()) {
            floor = Math.max(floor, session.floor());
        }
        long cleared = clear(transaction, client, session.cleared(), floor);
        new Session(time, floor, cleared).put(transaction, client);
        transaction.put(Table.RETRIES, key(client, request.number()), answer);
        endIdle(transaction, time);
    }

    /** Deletes some answers below the floor. @return up to where there are none */
    private static long clear(Transaction transaction, String client, long from, long floor) {
        if (floor - from <= CLEARED_AT_ONCE) {
            for (long number = from; number < floor; number++) {
                transaction.delete(Table.RETRIES, key(client, number));
            }
            return floor;
        }
        List<byte[]> rows = some(transaction, client, from, floor); // not every number has an answer
        rows.forEach(row -> transaction.delete(Table.RETRIES, row));
        return rows.size() < CLEARED_AT_ONCE ? floor : numberOf(rows.get(rows.size() - 1)) + 1;
    }

    /** Keys of the first answers to numbers in [from, to). */
    private static List<byte[]> some(Transaction transaction, String client, long from, long to) {
        List<byte[]> keys = new ArrayList<>();
        transaction.scan(Table.RETRIES, key(client, from), key(client, to), (key, answer) -> {
            keys.add(key.clone());
            return keys.size() < CLEARED_AT_ONCE;
        });
        return keys;
    }

    private static void queue(Transaction transaction, String client, long time) {
        transaction.put(
                Table.RETRIES,
                key(Counter.LAST_SESSION.next(transaction)),
                new RowWriter().i64(time).text(client).bytes());
    }

    /** Looks at the sessions that were queued longest ago: those in use are queued again, the others end. */
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
            Session session = Session.find(transaction, client);
            if (session != null && !session.ending() && time - session.activeMillis() < idle) {
                queue(transaction, client, session.activeMillis());
            } else if (session != null && !end(transaction, client, session)) {
                return;
            }
            transaction.delete(Table.RETRIES, key(oldest));
            Counter.ENDED_SESSION.next(transaction);
        }
    }

    /** @return whether it is over; some of its answers are deleted, and all of them are let go, when not */
    private static boolean end(Transaction transaction, String client, Session session) {
        List<byte[]> rows = some(transaction, client, 0, Long.MAX_VALUE);
        rows.forEach(row -> transaction.delete(Table.RETRIES, row));
        if (rows.size() == CLEARED_AT_ONCE) {
            new Session(session.activeMillis(), ENDING, session.cleared()).put(transaction, client);
            return false;
        }
        transaction.delete(Table.RETRIES, key(client));
        return true;
    }

    private static byte[] key(String client, long number) {
        return new RowWriter().u8(BY_REQUEST).text(client).i64(number).bytes();
    }

    private static long numberOf(byte[] key) {
        return ByteBuffer.wrap(key).getLong(key.length - Long.BYTES);
    }

    private static byte[] key(String client) {
        return new RowWriter().u8(BY_CLIENT).text(client).bytes();
    }

    private static byte[] key(long age) {
        return new RowWriter().u8(BY_AGE).raw(Keys.number(age)).bytes();
    }
}
