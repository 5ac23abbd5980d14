package io.ecfs.client.base;

import io.ecfs.message.RequestId;
import java.util.concurrent.atomic.AtomicLong;

/** Numbers the mutating calls of one client instance. Safe for use by several threads. */
public final class RequestIds {
    private final String client;
    private final AtomicLong sequence = new AtomicLong();

    /** @param client unique for each client instance; also the holder of its leases */
    public RequestIds(String client) {
        this.client = client;
    }

    public String client() {
        return client;
    }

    public RequestId next() {
        return new RequestId(client, sequence.incrementAndGet());
    }
}
