package io.ecfs.sim.cluster;

import io.ecfs.message.FilePath;
import io.ecfs.patch.PatchBatch;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * What clients asked of a file that is updated in place, in order, and what was acknowledged of it. What the file has
 * is what some first part of the updates makes of it, at least those that are proven: each is there whole or not at
 * all.
 */
public final class UpdatedFile {
    private final FilePath path;
    private final List<Update> since = new ArrayList<>();
    private byte[] base = {};
    private int proven;
    private int settled;
    private boolean there;
    private boolean relic;
    private Optional<FilePath> holder = Optional.empty();

    /** One change of a file's bytes. */
    public sealed interface Update {
        /** Bytes at a position; what lies between the old end and them is zeros. */
        record Write(int position, byte[] bytes) implements Update {
            private static final long FORGED_NUMBER = 1L << 40;

            /** The contents of a tag. */
            static Write of(long tag, int position, int length) {
                return new Write(position, Contents.of(tag, position, position + length));
            }

            /** Bytes of which each page imitates a batch that cuts the file. */
            static Write forging(long tag, int position, int length) {
                Write write = of(tag, position, length);
                ByteBuffer head = PatchBatch.plan(0, FORGED_NUMBER, 1, List.of(new io.ecfs.patch.Write(0, 1)))
                        .head(0);
                for (int at = 0; at + head.capacity() <= length; at += PatchBatch.PAGE_BYTES) {
                    head.get(0, write.bytes(), at, head.capacity());
                }
                return write;
            }

            int end() {
                return position + bytes.length;
            }
        }

        /** Cuts the file, or makes it longer with zeros. */
        record Cut(int length) implements Update {}
    }

    /** The bytes of a file, changed by one update after the other. */
    private static final class State {
        private byte[] bytes;
        private int length;

        State(byte[] bytes) {
            this.bytes = bytes.clone();
            this.length = bytes.length;
        }

        /** @return where bytes may have changed first */
        int apply(Update update) {
            int before = length;
            if (update instanceof Update.Write write) {
                lengthen(write.end());
                System.arraycopy(write.bytes(), 0, bytes, write.position(), write.bytes().length);
                return Math.min(before, write.position());
            }
            int cut = ((Update.Cut) update).length();
            lengthen(cut);
            Arrays.fill(bytes, cut, length, (byte) 0);
            length = cut;
            return Math.min(before, cut);
        }

        private void lengthen(int to) {
            if (to > bytes.length) {
                bytes = Arrays.copyOf(bytes, Math.max(to, 2 * bytes.length));
            }
            length = Math.max(length, to);
        }

        int mismatch(byte[] other) {
            return Arrays.mismatch(bytes, 0, length, other, 0, other.length);
        }
    }

    UpdatedFile(FilePath path) {
        this.path = path;
    }

    public FilePath path() {
        return path;
    }

    /** Returns whether no client that lives has it open, or tries to. */
    boolean free(Set<FilePath> vanished) {
        return !relic && holder.map(vanished::contains).orElse(true);
    }

    /** @param directory of the client that opens it */
    void take(FilePath directory) {
        holder = Optional.of(directory);
    }

    /** The directory of the client that has it open or tries to. */
    public Optional<FilePath> holder() {
        return holder;
    }

    void release() {
        holder = Optional.empty();
    }

    /** The file exists for certain. */
    void exists() {
        there = true;
    }

    public boolean mayBeAbsent() {
        return !there;
    }

    /** A rollback left it open what the file has. */
    void rolledBack() {
        relic = true;
    }

    public boolean relic() {
        return relic;
    }

    /** @return number of the update, for {@link #prove} */
    int submit(Update update) {
        since.add(update);
        return since.size();
    }

    /** The first so many updates are there, whatever fails. */
    void prove(int updates) {
        proven = Math.max(proven, updates);
    }

    public int proven() {
        return proven;
    }

    /** Number of times that the file was known for certain. */
    int settled() {
        return settled;
    }

    public int submitted() {
        return since.size();
    }

    /** Length with all that was submitted. */
    int length() {
        int length = base.length;
        for (Update update : since) {
            length = after(length, update);
        }
        return length;
    }

    private static int after(int length, Update update) {
        return update instanceof Update.Cut cut ? cut.length() : Math.max(length, ((Update.Write) update).end());
    }

    /** Least length after some first part of the updates that has all that are proven. */
    int leastLength() {
        int length = base.length;
        int least = proven == 0 ? length : Integer.MAX_VALUE;
        for (int done = 1; done <= since.size(); done++) {
            length = after(length, since.get(done - 1));
            least = done < proven ? least : Math.min(least, length);
        }
        return least;
    }

    /** Nothing is under way, and the file has these bytes: they stay. */
    void settle(byte[] bytes) {
        base = bytes;
        since.clear();
        proven = 0;
        settled++;
    }

    /** Returns whether the bytes are those after some first part of the updates, of at least so many. */
    boolean matches(byte[] bytes, int least) {
        State state = new State(base);
        for (int done = 0; ; done++) {
            if (done >= least && state.mismatch(bytes) < 0) {
                return true;
            }
            if (done == since.size()) {
                return false;
            }
            state.apply(since.get(done));
        }
    }

    /**
     * Compares what was read while the file was updated.
     *
     * @param least updates that were proven when the read began
     * @return offset of a byte that is not of any state since; -1: there is none; -2: the file never was so long
     */
    int firstImpossible(byte[] bytes, int least) {
        State state = new State(base);
        boolean[] possible = new boolean[bytes.length];
        boolean length = false;
        for (int done = 0; done <= since.size(); done++) {
            int changed = done == 0 ? 0 : state.apply(since.get(done - 1));
            if (done >= least) {
                length |= state.length == bytes.length;
                for (int at = done == least ? 0 : changed; at < Math.min(bytes.length, state.length); at++) {
                    possible[at] |= state.bytes[at] == bytes[at];
                }
            }
        }
        for (int at = 0; at < bytes.length; at++) {
            if (!possible[at]) {
                return at;
            }
        }
        return length ? -1 : -2;
    }

    /** For messages: how the bytes differ from what is proven and from what was submitted. */
    public String describe(byte[] bytes) {
        StringBuilder text = new StringBuilder(bytes.length + " bytes; " + proven + " of " + since.size()
                + " updates of " + base.length + " bytes are proven");
        State state = new State(base);
        for (int done = 0; done <= since.size(); done++) {
            if (done > 0) {
                state.apply(since.get(done - 1));
            }
            if (done >= proven) {
                text.append("; after ")
                        .append(done)
                        .append(": ")
                        .append(state.length)
                        .append(" bytes, differ at ");
                text.append(state.mismatch(bytes));
            }
        }
        return text.toString();
    }
}
