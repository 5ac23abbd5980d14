package io.ecfs.namenode.log.ratis;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.ecfs.env.Scheduler;
import io.ecfs.error.EcfsException;
import io.ecfs.error.ErrorCode;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Commands on their way into the log. Those that wait together travel in one entry, bounded by count and bytes; a few
 * entries are under way at once, so that the disk of one and the network of the next overlap. Order is preserved:
 * commands that are proposed one after another are applied so. The queue is bounded; past the bound callers get {@code
 * BUSY}.
 *
 * <p>Callers come from many threads. Entries are made on the scheduler, and answered on the thread that applied them:
 * continuations run elsewhere, so that applying is not delayed.
 */
final class Proposals {
    /** Appends one entry; completes with the state's answer to it. Called in the order the entries shall have. */
    interface Submit {
        CompletableFuture<List<byte[]>> entry(byte[] entry);
    }

    private record Waiting(byte[] command, CompletableFuture<byte[]> answer) {}

    /** One log entry under way; compared by identity. */
    private static final class Entry {
        final List<Waiting> commands;
        final CompletableFuture<List<byte[]>> answers;

        Entry(List<Waiting> commands, CompletableFuture<List<byte[]>> answers) {
            this.commands = commands;
            this.answers = answers;
        }
    }

    private final RaftTuning tuning;
    private final Scheduler scheduler;
    private final Submit submit;
    private final RatisFailures failures;

    @GuardedBy("this")
    private final Deque<Waiting> waiting = new ArrayDeque<>();

    @GuardedBy("this")
    private long waitingBytes;

    @GuardedBy("this")
    private boolean pumping;

    @GuardedBy("this")
    private boolean closed;
    /** Entries under way; added and removed on the scheduler. */
    private final Set<Entry> underWay = ConcurrentHashMap.newKeySet();

    Proposals(RaftTuning tuning, Scheduler scheduler, Submit submit, RatisFailures failures) {
        this.tuning = tuning;
        this.scheduler = scheduler;
        this.submit = submit;
        this.failures = failures;
    }

    CompletableFuture<byte[]> propose(byte[] command) {
        if (command.length > tuning.entryBytes()) {
            return CompletableFuture.failedFuture(new EcfsException(
                    ErrorCode.INVALID_ARGUMENT,
                    "a command has " + command.length + " bytes, the log takes at most " + tuning.entryBytes()));
        }
        Waiting added = new Waiting(command, new CompletableFuture<>());
        synchronized (this) {
            if (closed) {
                return CompletableFuture.failedFuture(failures.notLeader());
            }
            if (waiting.size() >= tuning.waitingCommands() || waitingBytes + command.length > tuning.waitingBytes()) {
                return CompletableFuture.failedFuture(new EcfsException(
                        ErrorCode.BUSY, waiting.size() + " commands of " + waitingBytes + " bytes wait for the log"));
            }
            waiting.add(added);
            waitingBytes += command.length;
            if (pumping) {
                return added.answer();
            }
            pumping = true;
        }
        scheduler.execute(this::pump);
        return added.answer();
    }

    private void pump() {
        while (underWay.size() < tuning.entriesInFlight()) {
            List<Waiting> commands = next();
            if (commands.isEmpty()) {
                return;
            }
            Entry entry = new Entry(commands, submit(commands));
            underWay.add(entry);
            var unused = entry.answers.whenComplete((answers, failed) -> {
                answer(entry.commands, answers, failed);
                scheduler.execute(() -> {
                    underWay.remove(entry);
                    pump();
                });
            });
        }
        // As many as allowed are under way; the first answer pumps again, and new commands wait for it.
    }

    private CompletableFuture<List<byte[]>> submit(List<Waiting> entry) {
        try {
            return submit.entry(
                    EntryFormat.encode(entry.stream().map(Waiting::command).toList()));
        } catch (RuntimeException e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    /** Takes what fits one entry; when nothing waits, the next command has to pump again. */
    private synchronized List<Waiting> next() {
        List<Waiting> entry = new ArrayList<>();
        long bytes = 0;
        while (!waiting.isEmpty()
                && entry.size() < tuning.entryCommands()
                && (entry.isEmpty() || bytes + waiting.peek().command().length <= tuning.entryBytes())) {
            Waiting taken = waiting.poll();
            bytes += taken.command().length;
            entry.add(taken);
        }
        waitingBytes -= bytes;
        pumping = !entry.isEmpty();
        return entry;
    }

    private void answer(List<Waiting> entry, List<byte[]> answers, Throwable failed) {
        if (failed == null && answers.size() == entry.size()) {
            for (int i = 0; i < entry.size(); i++) {
                entry.get(i).answer().complete(answers.get(i));
            }
            return;
        }
        Throwable why = failed != null
                ? failures.of(failed)
                : new EcfsException(
                        ErrorCode.INTERNAL,
                        answers.size() + " answers to a log entry of " + entry.size() + " commands");
        entry.forEach(one -> one.answer().completeExceptionally(why));
    }

    /** Fails entries under way that were not answered; for the end, when the log itself is closed. */
    void abandon() {
        underWay.forEach(entry -> entry.answers.completeExceptionally(failures.notLeader()));
    }

    /** Fails what has not been appended; what is under way is answered by the log itself. */
    void close() {
        List<Waiting> left;
        synchronized (this) {
            closed = true;
            left = List.copyOf(waiting);
            waiting.clear();
            waitingBytes = 0;
        }
        EcfsException why = failures.notLeader();
        left.forEach(one -> one.answer().completeExceptionally(why));
    }
}
