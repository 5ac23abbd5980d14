package io.ecfs.fault.inject;

import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Faults that last. Each is undone once, whoever comes first: its experiment, or the end of the process. After
 * {@link #close} a fault that is pushed is undone at once. For any thread.
 */
public final class UndoStack {
    private final Deque<Entry> lasting = new ArrayDeque<>();
    private boolean closed;

    /** A fault on the stack; undoes it once. */
    public final class Entry implements Undo {
        private final String what;
        private final Undo undo;
        private final AtomicBoolean done = new AtomicBoolean();

        private Entry(String what, Undo undo) {
            this.what = what;
            this.undo = undo;
        }

        @Override
        public void run() throws IOException, InterruptedException {
            synchronized (lasting) {
                lasting.remove(this);
            }
            if (!done.getAndSet(true)) {
                undo.run();
            }
        }
    }

    /** @param what of the fault, for errors */
    public Entry push(String what, Undo undo) throws IOException, InterruptedException {
        Entry entry = new Entry(what, undo);
        synchronized (lasting) {
            if (!closed) {
                lasting.push(entry);
                return entry;
            }
        }
        entry.run();
        return entry;
    }

    /** Faults that last. */
    public int size() {
        synchronized (lasting) {
            return lasting.size();
        }
    }

    /**
     * Undoes all that lasts, the last first, and from now on whatever is pushed; one that fails does not keep the
     * others from being undone.
     *
     * @return what could not be undone, and why
     */
    public List<String> close() {
        List<Entry> left;
        synchronized (lasting) {
            closed = true;
            left = new ArrayList<>(lasting);
            lasting.clear();
        }
        List<String> problems = new ArrayList<>();
        for (Entry entry : left) {
            try {
                entry.run();
            } catch (IOException | RuntimeException e) {
                problems.add(entry.what + ": " + e.getMessage());
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                problems.add(entry.what + ": interrupted");
            }
        }
        return problems;
    }
}
