package io.ecfs.client.write;

import io.ecfs.stripe.Stripe;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * What the user of one file wants of its writer and was not begun yet, in the order given. Owned by the client's owner
 * thread.
 */
final class WorkQueue {
    private final ArrayDeque<WriteEvent.Work> work = new ArrayDeque<>();
    private long acceptedBytes;

    /** @param lengthBefore of the file, when it is appended to */
    WorkQueue(long lengthBefore) {
        this.acceptedBytes = lengthBefore;
    }

    void add(WriteEvent.Work more) {
        work.add(more);
        acceptedBytes += more instanceof WriteEvent.Data data ? data.stripe().bytes() : 0;
    }

    /** Length of the file with all that was ever added here, in bytes. */
    long acceptedBytes() {
        return acceptedBytes;
    }

    Optional<WriteEvent.Work> next() {
        return Optional.ofNullable(work.peek());
    }

    /** The next, if that is a flush. */
    Optional<WriteEvent.Flush> flush() {
        return work.peek() instanceof WriteEvent.Flush flush ? Optional.of(flush) : Optional.empty();
    }

    /** The next, if that is an end. */
    Optional<WriteEvent.End> end() {
        return work.peek() instanceof WriteEvent.End end ? Optional.of(end) : Optional.empty();
    }

    /** Returns whether the next has bytes that only an open group can take. */
    boolean needsGroup() {
        return work.peek() instanceof WriteEvent.Data
                || flush().flatMap(WriteEvent.Flush::increment).isPresent();
    }

    /** The next is a stripe that is not full, so it ends its group, and has its parity: a group can be put with it. */
    boolean canBePut() {
        return work.peek() instanceof WriteEvent.Data data
                && !data.stripe().full()
                && data.stripe().encoded();
    }

    /** Work that was given behind the next. */
    Optional<WriteEvent.Work> behindNext() {
        Iterator<WriteEvent.Work> all = work.iterator();
        all.next();
        return all.hasNext() ? Optional.of(all.next()) : Optional.empty();
    }

    /** Takes the next, which is a stripe: it is the caller's from here on. */
    Stripe takeStripe() {
        return ((WriteEvent.Data) work.remove()).stripe();
    }

    /** Gives a stripe back that was taken: it comes next. */
    void putBack(Stripe stripe) {
        work.addFirst(new WriteEvent.Data(stripe));
    }

    /** Takes the flushes that come next, as far as they are wanted. */
    List<WriteEvent.Flush> takeFlushes(Predicate<WriteEvent.Flush> wanted) {
        List<WriteEvent.Flush> together = new ArrayList<>();
        while (flush().filter(wanted).isPresent()) {
            together.add(takeFlush());
        }
        return together;
    }

    /** Takes the next, which is a flush. */
    WriteEvent.Flush takeFlush() {
        return (WriteEvent.Flush) work.remove();
    }

    /** Takes the next, which is an end. */
    WriteEvent.End takeEnd() {
        return (WriteEvent.End) work.remove();
    }

    int size() {
        return work.size();
    }

    /** Takes all. */
    List<WriteEvent.Work> takeAll() {
        List<WriteEvent.Work> all = List.copyOf(work);
        work.clear();
        return all;
    }
}
