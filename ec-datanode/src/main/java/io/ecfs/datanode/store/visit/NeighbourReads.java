package io.ecfs.datanode.store.visit;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.ecfs.buffer.BufferPool;
import io.ecfs.datanode.store.Volume;
import io.ecfs.error.EcfsException;
import io.ecfs.layout.ChunkId;
import io.ecfs.transfer.ChunkPayload;
import io.ecfs.transfer.ReadRange;
import io.ecfs.transfer.ReadVisits;
import io.netty.buffer.ByteBuf;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Reads of one chunk that came in one message. The first of a span ({@link ReadVisits}) reads all of it into a buffer
 * of its own, from which each copies its windows with their checksums; what lies between is not looked at. Without a
 * free buffer, and where a span cannot be read, each reads for itself, and fails for itself.
 *
 * <p>{@link Member#read} runs on the volume's threads, for one member at a time, as the order of the chunk's tasks
 * ensures; {@link Member#ended} on any thread. The buffer is released with the last member of its span, whether it was
 * answered, failed or was called off.
 */
public final class NeighbourReads {
    private final Volume volume;
    private final ChunkId chunk;
    private final BufferPool buffers;
    private final ReadVisits rule;

    private final Object lock = new Object();

    @GuardedBy("lock")
    private final List<Member> members = new ArrayList<>();

    /** @param buffers that spans take one of, if it is free at once: so that they take none from others */
    public NeighbourReads(Volume volume, ChunkId chunk, BufferPool buffers, ReadVisits rule) {
        this.volume = volume;
        this.chunk = chunk;
        this.buffers = buffers;
        this.rule = rule;
    }

    /**
     * Adds a read, before any of them begins.
     *
     * @param bytes at least one
     */
    public Member add(long offset, int bytes) {
        Member member = new Member(offset, bytes);
        synchronized (lock) {
            members.add(member);
        }
        return member;
    }

    private enum State {
        /** Not divided into spans yet. */
        WAITING,
        /** In a span with others. */
        SHARING,
        /** Reads for itself. */
        ALONE,
        ENDED
    }

    /** Bytes that were read at once. */
    private static final class Span {
        private final long from;
        private final int bytes;
        private final ByteBuf buffer;
        private int users; // under the lock
        private Optional<ReadRange> read = Optional.empty(); // by the thread that runs the chunk's tasks

        Span(long from, int bytes, ByteBuf buffer, int users) {
            this.from = from;
            this.bytes = bytes;
            this.buffer = buffer;
            this.users = users;
        }
    }

    /** One of the reads. Its state and its span are used under the lock. */
    public final class Member {
        private final long offset;
        private final int bytes;
        private State state = State.WAITING;
        private Optional<Span> span = Optional.empty();

        private Member(long offset, int bytes) {
            this.offset = offset;
            this.bytes = bytes;
        }

        private ReadRange windows() {
            return ReadRange.covering(offset, bytes, Long.MAX_VALUE).orElseThrow();
        }

        /** As {@link Volume#read}. */
        public ReadRange read(ByteBuf into) throws EcfsException {
            Optional<Span> shared = spanOf(this);
            return shared.isPresent()
                    ? copy(shared.get(), shared.get().read.orElseThrow(), into)
                    : volume.read(chunk, offset, bytes, into);
        }

        private ReadRange copy(Span from, ReadRange all, ByteBuf into) {
            // A span ends before its last window does only where the chunk ends.
            ReadRange own = ReadRange.covering(offset, bytes, all.to()).orElseThrow();
            int skipped = Math.toIntExact(own.from() - all.from());
            into.writeBytes(
                    from.buffer,
                    from.buffer.readerIndex() + ChunkPayload.checksumBytes(skipped),
                    ChunkPayload.checksumBytes(own.bytes()));
            into.writeBytes(
                    from.buffer,
                    from.buffer.readerIndex() + ChunkPayload.checksumBytes(all.bytes()) + skipped,
                    own.bytes());
            return own;
        }

        /** Ends the read, also one that did not begin. */
        public void ended() {
            synchronized (lock) {
                if (state == State.SHARING) {
                    leave(span.orElseThrow());
                }
                state = State.ENDED;
            }
        }
    }

    /** The span that a member's bytes are in, read; empty when it reads for itself. */
    private Optional<Span> spanOf(Member member) {
        Optional<Span> found;
        synchronized (lock) {
            if (member.state == State.WAITING) {
                divide(member);
            }
            found = member.state == State.SHARING ? member.span : Optional.empty();
        }
        if (found.isPresent() && found.get().read.isEmpty() && !fill(found.get())) {
            separate(found.get());
            return Optional.empty();
        }
        return found;
    }

    /** Finds the members that share a span with this one; those that were called off take no part in it. */
    @GuardedBy("lock")
    private void divide(Member member) {
        NavigableMap<Long, List<Member>> bySpan = new TreeMap<>();
        List<Member> waiting =
                members.stream().filter(other -> other.state == State.WAITING).toList();
        for (ReadRange span : rule.spans(waiting.stream().map(Member::windows).toList())) {
            bySpan.put(span.from(), new ArrayList<>());
        }
        for (Member other : waiting) {
            bySpan.floorEntry(other.windows().from()).getValue().add(other);
        }
        for (List<Member> together : bySpan.values()) {
            if (together.size() == 1) {
                together.get(0).state = State.ALONE;
            } else if (together.contains(member)) {
                share(together);
            }
        }
    }

    @GuardedBy("lock")
    private void share(List<Member> together) {
        long from = Long.MAX_VALUE;
        long to = 0;
        for (Member member : together) {
            from = Math.min(from, member.offset);
            to = Math.max(to, member.offset + member.bytes);
        }
        int bytes = Math.toIntExact(to - from);
        try {
            ByteBuf buffer = buffers.allocate(ReadRange.payloadBytesFor(from, bytes));
            Span span = new Span(from, bytes, buffer, together.size());
            for (Member member : together) {
                member.state = State.SHARING;
                member.span = Optional.of(span);
            }
        } catch (EcfsException e) {
            // BUSY, or more than the pool has: each has a buffer of its own already.
            together.forEach(member -> member.state = State.ALONE);
        }
    }

    /** Reads the span; false when it cannot be read as a whole. */
    private boolean fill(Span span) {
        try {
            span.read = volume.tryRead(chunk, span.from, span.bytes, span.buffer);
        } catch (EcfsException e) {
            // Each member fails by itself with what concerns its own bytes.
            span.read = Optional.empty();
        }
        return span.read.isPresent();
    }

    private void separate(Span span) {
        synchronized (lock) {
            for (Member member : members) {
                if (member.state == State.SHARING && member.span.orElseThrow() == span) {
                    member.state = State.ALONE;
                    leave(span);
                }
            }
        }
    }

    @GuardedBy("lock")
    private void leave(Span span) {
        span.users--;
        if (span.users == 0) {
            span.buffer.release();
        }
    }
}
