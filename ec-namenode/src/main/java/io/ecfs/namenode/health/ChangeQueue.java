package io.ecfs.namenode.health;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.ecfs.layout.GroupId;
import io.ecfs.namenode.group.ChunkOnVolume;
import io.ecfs.namenode.state.GroupChanges;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;

/**
 * Names of what applied entries changed, from the thread that applies to the event thread. A name is queued once
 * however many entries change it, since the reader reads the facts as they are. Past {@value #MOST} names all are
 * dropped, and the reader compares everything; so the thread that applies never waits. {@code arrived} is called
 * outside of the monitor.
 */
final class ChangeQueue implements GroupChanges.Listener {
    static final int MOST = 200_000;

    private final Runnable arrived;

    @GuardedBy("this")
    private final LinkedHashSet<GroupId> groups = new LinkedHashSet<>();

    @GuardedBy("this")
    private final LinkedHashSet<ChunkOnVolume> unplaced = new LinkedHashSet<>();

    @GuardedBy("this")
    private boolean everything;

    /** Names of changed groups and chunks, the oldest first. */
    record Batch(List<GroupId> groups, List<ChunkOnVolume> unplaced) {}

    /** @param arrived is called when the queue is no longer empty, on the thread that applies */
    ChangeQueue(Runnable arrived) {
        this.arrived = arrived;
    }

    @Override
    public void changed(GroupChanges changes) {
        boolean first;
        synchronized (this) {
            first = isEmpty();
            groups.addAll(changes.groups());
            unplaced.addAll(changes.unplaced());
            if (groups.size() + unplaced.size() > MOST) {
                dropAll();
            }
        }
        if (first) {
            arrived.run();
        }
    }

    @Override
    public void replaced() {
        synchronized (this) {
            dropAll();
        }
        arrived.run();
    }

    private synchronized void dropAll() {
        groups.clear();
        unplaced.clear();
        everything = true;
    }

    synchronized boolean isEmpty() {
        return groups.isEmpty() && unplaced.isEmpty() && !everything;
    }

    /** Returns whether anything may have changed since the last call, beyond what is queued now. */
    synchronized boolean takeEverything() {
        boolean taken = everything;
        everything = false;
        return taken;
    }

    /**
     * Takes at most {@code limit} names of each kind. Every view of the facts that is opened later includes their
     * changes.
     */
    synchronized Batch take(int limit) {
        return new Batch(first(groups, limit), first(unplaced, limit));
    }

    private static <T> List<T> first(Collection<T> queued, int limit) {
        List<T> taken = new ArrayList<>();
        for (Iterator<T> names = queued.iterator(); names.hasNext() && taken.size() < limit; names.remove()) {
            taken.add(names.next());
        }
        return taken;
    }
}
