package io.ecfs.console.web.live;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.function.BooleanSupplier;

/**
 * Server-sent events (HTML Living Standard 9.2): {@code view} for each poll of the cluster, {@code happened} for each
 * event of its history. One browser's stream, on its request's thread, so that a slow reader delays no other.
 */
public final class EventStream {
    private static final int MOST = 24;
    private static final Duration HEARTBEAT = Duration.ofSeconds(10);
    private static final int EVENTS_AT_ONCE = 200;

    /** Of views, to one browser: those of a very large cluster come less often. */
    private static final long BYTES_PER_SECOND = 256 << 10;

    private static final long MILLIS = 1000;

    private final Watch watch;
    private final Semaphore places = new Semaphore(MOST);

    public EventStream(Watch watch) {
        this.watch = watch;
    }

    /** Streams that are open. */
    public int open() {
        return MOST - places.availablePermits();
    }

    /** Takes one of {@value #MOST} places; false when all are taken. Who took one calls {@link #leave}. */
    public boolean enter() {
        return places.tryAcquire();
    }

    public void leave() {
        places.release();
    }

    /**
     * Writes until the browser has gone, the console stops, or the user is no longer welcome.
     *
     * @param operator true for a browser of an operator
     * @param welcome asked before each write
     */
    public void send(OutputStream out, long afterEvent, boolean operator, BooleanSupplier welcome)
            throws InterruptedException {
        try {
            long version = 0;
            long event = afterEvent;
            while (!watch.closed() && welcome.getAsBoolean()) {
                Optional<Watch.View> next = watch.after(version, HEARTBEAT);
                if (next.isEmpty()) {
                    write(out, ": still here\n\n");
                    continue;
                }
                version = next.get().version();
                String view = "event: view\ndata: " + next.get().json() + "\n\n";
                write(out, view);
                event = events(out, event, operator);
                watch.rest(view.length() * MILLIS / BYTES_PER_SECOND);
            }
        } catch (IOException gone) {
            // The browser closed the stream, which is how it ends.
            return;
        }
    }

    /** Writes all that are new; returns the number of the last one. */
    private long events(OutputStream out, long after, boolean operator) throws IOException {
        long last = after;
        List<ObjectNode> page;
        do {
            page = watch.events().after(last, EVENTS_AT_ONCE, operator);
            StringBuilder text = new StringBuilder();
            for (ObjectNode happened : page) {
                last = happened.get("number").asLong();
                text.append("event: happened\nid: ")
                        .append(last)
                        .append("\ndata: ")
                        .append(happened)
                        .append("\n\n");
            }
            write(out, text.toString());
        } while (page.size() == EVENTS_AT_ONCE);
        return last;
    }

    private static void write(OutputStream out, String text) throws IOException {
        out.write(text.getBytes(StandardCharsets.UTF_8));
        out.flush();
    }
}
