package io.ecfs.namenode.log.ratis;

import io.ecfs.env.Scheduler;
import io.ecfs.namenode.log.MetadataLog.Leadership;
import io.ecfs.namenode.log.MetadataLog.LeadershipListener;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.ratis.server.DivisionInfo;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Leadership as this namenode sees it. Ratis's own "leader" begins before the state has caught up; here a namenode
 * leads once it has applied the first entry of its term, and so everything committed before. Listeners are called on
 * the log's scheduler; between two terms of leadership they always see one moment without.
 */
final class Leaderships {
    private static final Logger LOG = LoggerFactory.getLogger(Leaderships.class);

    private final String id;
    private final DivisionInfo info;
    private final Scheduler scheduler;
    private final List<LeadershipListener> listeners = new CopyOnWriteArrayList<>();
    /** The term whose first entry this namenode applied as its leader. */
    private volatile long readyTerm = -1;

    private volatile boolean over;
    /** The last state that the listeners received. Touched on the scheduler only. */
    private Leadership notified = new Leadership(-1, false, Optional.empty());

    Leaderships(String id, DivisionInfo info, Scheduler scheduler) {
        this.id = id;
        this.info = info;
        this.scheduler = scheduler;
    }

    /** The present moment. */
    Leadership now() {
        long term = info.getCurrentTerm();
        boolean leading = !over && info.isAlive() && info.isLeader() && readyTerm == term;
        Optional<String> leader = Optional.ofNullable(info.getLeaderId()).map(Object::toString);
        long after = info.getCurrentTerm();
        return new Leadership(after, leading && after == term, leader);
    }

    /** This namenode applied the first entry of {@code term} as its leader. */
    void ready(long term) {
        readyTerm = term;
    }

    /** It will never lead again. */
    void end() {
        over = true;
    }

    void add(LeadershipListener listener) {
        scheduler.execute(() -> {
            refresh();
            listeners.add(listener);
            call(listener, notified);
        });
    }

    /** Notifies the listeners of a change. Runs on the scheduler. */
    void refresh() {
        Leadership now = now();
        if (now.equals(notified)) {
            return;
        }
        if (notified.leading() && now.leading() && now.term() != notified.term()) {
            change(new Leadership(now.term(), false, Optional.empty()));
        }
        change(now);
    }

    private void change(Leadership now) {
        LOG.info(
                "event=leadership namenode={} term={} leading={} leader={} before_term={} before_leading={}",
                id,
                now.term(),
                now.leading(),
                now.leader().orElse("unknown"),
                notified.term(),
                notified.leading());
        notified = now;
        listeners.forEach(listener -> call(listener, now));
    }

    private void call(LeadershipListener listener, Leadership now) {
        try {
            listener.leadership(now);
        } catch (RuntimeException e) {
            LOG.error("event=leadership_listener_failed namenode={} leadership={}", id, now, e);
        }
    }
}
