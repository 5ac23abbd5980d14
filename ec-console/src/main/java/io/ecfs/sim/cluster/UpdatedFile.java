package io.ecfs.sim.cluster;

import io.ecfs.message.FilePath;
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
        byte[] applied(byte[] before);

        /** The contents of {@code tag} from a position on; what lies between the old end and it is zeros. */
        record Write(long tag, int position, int length) implements Update {
            @Override
            public byte[] applied(byte[] before) {
                byte[] after = Arrays.copyOf(before, Math.max(before.length, position + length));
                System.arraycopy(bytes(), 0, after, position, length);
                return after;
            }

            byte[] bytes() {
                return Contents.of(tag, position, position + length);
            }
        }

        /** Cuts the file, or makes it longer with zeros. */
        record Cut(int length) implements Update {
            @Override
            public byte[] applied(byte[] before) {
                return Arrays.copyOf(before, length);
            }
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
            length = update instanceof Update.Cut cut ? cut.length() : longer(length, (Update.Write) update);
        }
        return length;
    }

    private static int longer(int length, Update.Write write) {
        return Math.max(length, write.position() + write.length());
    }

    /** Nothing is under way, and the file has these bytes: they stay. */
    void settle(byte[] bytes) {
        base = bytes;
        since.clear();
        proven = 0;
        settled++;
    }

    /** Returns whether the bytes are those after some first part of the updates, with all that are proven. */
    public boolean matches(byte[] bytes) {
        return matches(bytes, proven);
    }

    /** Returns whether the bytes are those after some first part of the updates, of at least so many. */
    boolean matches(byte[] bytes, int least) {
        byte[] state = base;
        for (int done = 0; ; done++) {
            if (done >= least && Arrays.equals(state, bytes)) {
                return true;
            }
            if (done == since.size()) {
                return false;
            }
            state = since.get(done).applied(state);
        }
    }

    /**
     * Compares what was read while the file was updated.
     *
     * @param least updates that were proven when the read began
     * @return offset of a byte that is not of any state since; -1: there is none; -2: the file never was so long
     */
    int firstImpossible(byte[] bytes, int least) {
        byte[] state = base;
        boolean[] possible = new boolean[bytes.length];
        boolean length = false;
        for (int done = 0; done <= since.size(); done++) {
            if (done > 0) {
                state = since.get(done - 1).applied(state);
            }
            if (done >= least) {
                length |= state.length == bytes.length;
                for (int at = 0; at < Math.min(bytes.length, state.length); at++) {
                    possible[at] |= state[at] == bytes[at];
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
        byte[] state = base;
        for (int done = 0; done <= since.size(); done++) {
            if (done > 0) {
                state = since.get(done - 1).applied(state);
            }
            if (done >= proven) {
                text.append("; after ")
                        .append(done)
                        .append(": ")
                        .append(state.length)
                        .append(" bytes, differ at ");
                text.append(Arrays.mismatch(state, bytes));
            }
        }
        return text.toString();
    }
}
