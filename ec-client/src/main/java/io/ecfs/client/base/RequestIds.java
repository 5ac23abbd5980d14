package io.ecfs.client.base;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.ecfs.message.RequestId;
import java.util.TreeSet;

/**
 * Numbers the mutating calls of one client instance, and knows which of them are open: an id acknowledges the answers
 * below the oldest open one. Safe for use by several threads.
 */
public final class RequestIds {
    private final String client;

    @GuardedBy("this")
    private final TreeSet<Long> open = new TreeSet<>();

    @GuardedBy("this")
    private long last;

    /** @param client unique for each client instance; also the holder of its leases */
    public RequestIds(String client) {
        this.client = client;
    }

    public String client() {
        return client;
    }

    /** The id of a new call, which is open until it is {@link #closed}. */
    public synchronized RequestId next() {
        open.add(++last);
        return RequestId.of(client, last, open.first());
    }

    /** The call has ended: it is answered, or is not sent again. */
    public synchronized void closed(RequestId call) {
        open.remove(call.number());
    }
}
