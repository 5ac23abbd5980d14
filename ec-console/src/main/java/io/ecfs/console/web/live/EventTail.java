package io.ecfs.console.web.live;

import com.fasterxml.jackson.databind.node.ObjectNode;
import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.ecfs.client.EcfsClient;
import io.ecfs.client.base.Await;
import io.ecfs.console.view.EventLog;
import io.ecfs.message.namespace.NamespaceRequest;
import io.ecfs.message.report.HistoryEvent;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

/** The latest events of the cluster's history, followed from its beginning. One thread follows; others read. */
public final class EventTail {
    private static final int PAGE = NamespaceRequest.ListEvents.MAX_PAGE;
    private static final int RETAINED = 3000;

    @GuardedBy("this")
    private final Deque<ObjectNode> latest = new ArrayDeque<>();

    @GuardedBy("this")
    private long last;

    /** Number of the latest event known; 0 for none. */
    public synchronized long last() {
        return last;
    }

    /** The next events with a higher number of those that are at hand, oldest first, at most {@code limit}. */
    public synchronized List<ObjectNode> after(long number, int limit) {
        return latest.stream()
                .filter(event -> event.get("number").asLong() > number)
                .limit(limit)
                .toList();
    }

    /** The latest events, oldest first, at most {@code limit}. */
    public synchronized List<ObjectNode> latest(int limit) {
        return latest.stream().skip(Math.max(0, latest.size() - limit)).toList();
    }

    /** Asks for all events that are new. */
    void follow(EcfsClient client) throws IOException {
        List<HistoryEvent> page;
        do {
            page = Await.result(client.admin().events(last(), PAGE)).events();
            add(page);
        } while (page.size() == PAGE);
    }

    private synchronized void add(List<HistoryEvent> page) {
        for (HistoryEvent event : page) {
            latest.addLast(json(event));
            last = event.number();
            if (latest.size() > RETAINED) {
                latest.removeFirst();
            }
        }
    }

    /** An event as {@code ecfs admin events --json} has it, and its line of text. */
    public static ObjectNode json(HistoryEvent event) {
        ObjectNode json = EventLog.json(event);
        json.put("text", EventLog.text(event.event()));
        return json;
    }
}
