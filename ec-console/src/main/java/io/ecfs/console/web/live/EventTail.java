package io.ecfs.console.web.live;

import com.fasterxml.jackson.databind.node.ObjectNode;
import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.ecfs.client.EcfsClient;
import io.ecfs.console.view.EventLog;
import io.ecfs.message.namespace.NamespaceRequest;
import io.ecfs.message.report.ClusterEvent;
import io.ecfs.message.report.HistoryEvent;
import io.ecfs.wire.Await;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

/**
 * The latest events of the cluster's history, followed from its beginning. One thread follows; others read. Paths of
 * directories are for operators, who may see all: of a viewer the namenodes would ask for the right.
 */
public final class EventTail {
    private static final int PAGE = NamespaceRequest.ListEvents.MAX_PAGE;
    private static final int RETAINED = 3000;
    private static final String HIDDEN = "(hidden)";

    @GuardedBy("this")
    private final Deque<HistoryEvent> latest = new ArrayDeque<>();

    @GuardedBy("this")
    private long last;

    /** Number of the latest event known; 0 for none. */
    public synchronized long last() {
        return last;
    }

    /**
     * The next events with a higher number of those that are at hand, oldest first, at most {@code limit}.
     *
     * @param operator true with the paths of directories
     */
    public List<ObjectNode> after(long number, int limit, boolean operator) {
        return eventsAfter(number, limit).stream()
                .map(event -> json(event, operator))
                .toList();
    }

    private synchronized List<HistoryEvent> eventsAfter(long number, int limit) {
        return latest.stream()
                .filter(event -> event.number() > number)
                .limit(limit)
                .toList();
    }

    /**
     * The latest events, oldest first, at most {@code limit}.
     *
     * @param operator true with the paths of directories
     */
    public List<ObjectNode> latest(int limit, boolean operator) {
        return latestEvents(limit).stream().map(event -> json(event, operator)).toList();
    }

    private synchronized List<HistoryEvent> latestEvents(int limit) {
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
            latest.addLast(event);
            last = event.number();
            if (latest.size() > RETAINED) {
                latest.removeFirst();
            }
        }
    }

    /**
     * An event as {@code ecfs admin events --json} has it, and its line of text.
     *
     * @param operator true with the paths of directories
     */
    public static ObjectNode json(HistoryEvent event, boolean operator) {
        ClusterEvent shown = operator ? event.event() : withoutPath(event.event());
        ObjectNode json = EventLog.json(new HistoryEvent(event.number(), event.atMillis(), event.incident(), shown));
        json.put("text", EventLog.text(shown));
        return json;
    }

    private static ClusterEvent withoutPath(ClusterEvent event) {
        return event instanceof ClusterEvent.OfDirectory of ? of.at(HIDDEN) : event;
    }
}
