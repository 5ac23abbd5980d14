package io.ecfs.torture.check;

import io.ecfs.torture.history.Answer;
import io.ecfs.torture.history.Run;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * A file in the model: stretches in file order, each the beginning of what one tag wrote.
 *
 * @param writer the tag that has the file open, whose stretch is the last; {@link #CLOSED} when it is known to be
 *     closed. A file whose writer vanished is closed by the namenode at any time, so a file with a writer may be closed
 *     already
 * @param recoveries numbers of those that will have closed it when they end; none of a closed file
 */
record FileContent(List<Stretch> stretches, long writer, Sight sight, SortedSet<Integer> recoveries) {
    static final long CLOSED = -1;

    /** Knowledge of the content. */
    enum Sight {
        SHARP,
        /** Its content can no longer be derived, so the next reader decides it. */
        BLURRED,
        /** The same, and the power was lost since: all of it may be gone. */
        BLURRED_AND_DOUBTFUL
    }

    /**
     * The first bytes of a tag: at least {@code least}, at most {@code most}.
     *
     * @param synced of the first bytes, on disk by a promise
     * @param doubtful the power was lost: what lies behind {@code synced} may be gone
     */
    record Stretch(long tag, long least, long most, long synced, boolean doubtful) {
        Stretch {
            if (least < 0 || least > most || synced < 0 || synced > most) {
                throw new IllegalArgumentException(
                        "a stretch of [" + least + ", " + most + "] bytes, " + synced + " synced");
            }
            doubtful &= synced < most;
        }

        Stretch(long tag, long least, long most) {
            this(tag, least, most, 0, false);
        }

        Stretch synced(long bytes) {
            return new Stretch(tag, least, most, Math.max(synced, bytes), doubtful);
        }

        /** After a loss of power. The length of a closed file is a fact of the namenodes, which stays. */
        Stretch withoutPower(boolean open) {
            return new Stretch(tag, open ? Math.min(least, synced) : least, most, synced, true);
        }

        boolean exact() {
            return least == most;
        }

        Stretch of(long bytes) {
            return new Stretch(tag, bytes, bytes, Math.min(synced, bytes), doubtful);
        }

        boolean admits(long bytes) {
            return least <= bytes && bytes <= most;
        }
    }

    FileContent {
        stretches = List.copyOf(stretches);
        recoveries = Collections.unmodifiableSortedSet(writer == CLOSED ? new TreeSet<>() : new TreeSet<>(recoveries));
    }

    private FileContent(List<Stretch> stretches, long writer, Sight sight) {
        this(stretches, writer, sight, Collections.emptySortedSet());
    }

    /** A new file, open for {@code tag}. */
    static FileContent created(long tag, long most) {
        return new FileContent(List.of(new Stretch(tag, 0, most)), tag, Sight.SHARP);
    }

    boolean blurred() {
        return sight != Sight.SHARP;
    }

    boolean doubtful() {
        return sight == Sight.BLURRED_AND_DOUBTFUL || stretches.stream().anyMatch(Stretch::doubtful);
    }

    private static FileContent blurred(boolean doubtful) {
        return new FileContent(List.of(), CLOSED, doubtful ? Sight.BLURRED_AND_DOUBTFUL : Sight.BLURRED);
    }

    boolean has(long tag) {
        return stretches.stream().anyMatch(stretch -> stretch.tag() == tag);
    }

    long least() {
        return stretches.stream().mapToLong(Stretch::least).sum();
    }

    long most() {
        return blurred()
                ? Long.MAX_VALUE
                : stretches.stream().mapToLong(Stretch::most).sum();
    }

    /** It will be closed by the end of this recovery. */
    FileContent inRecovery(int recovery) {
        SortedSet<Integer> all = new TreeSet<>(recoveries);
        all.add(recovery);
        return new FileContent(stretches, writer, sight, all);
    }

    /** Closed, nothing else known. */
    FileContent closed() {
        return closed(stretches);
    }

    private FileContent closed(List<Stretch> content) {
        return new FileContent(
                content.stream().filter(stretch -> stretch.most() > 0).toList(), CLOSED, sight);
    }

    /** Closed at this length; empty when it cannot have it. */
    Optional<FileContent> closedAt(long length) {
        if (blurred()) {
            return Optional.of(closed());
        }
        if (length < least() || length > most()) {
            return Optional.empty();
        }
        List<Stretch> inexact =
                stretches.stream().filter(stretch -> !stretch.exact()).toList();
        if (inexact.size() != 1) {
            return Optional.of(closed()); // of several the sum tells nothing more
        }
        long others = least() - inexact.get(0).least();
        return Optional.of(closed(stretches.stream()
                .map(stretch -> stretch.exact() ? stretch : stretch.of(length - others))
                .toList()));
    }

    /** Open for another writer behind what is there. */
    FileContent appended(long tag, long most) {
        return new FileContent(
                Stream.concat(closed().stretches().stream(), Stream.of(new Stretch(tag, 0, most)))
                        .toList(),
                tag,
                sight);
    }

    /**
     * The writer's first bytes are acknowledged. After the file was closed for its writer nothing more can be
     * acknowledged than what the file was closed with.
     */
    Optional<FileContent> acknowledged(long tag, long bytes, boolean sync) {
        List<Stretch> changed = new ArrayList<>();
        for (Stretch stretch : stretches) {
            if (stretch.tag() != tag) {
                changed.add(stretch);
            } else if (bytes > stretch.most()) {
                return Optional.empty();
            } else {
                changed.add(new Stretch(
                                tag,
                                Math.max(bytes, stretch.least()),
                                stretch.most(),
                                stretch.synced(),
                                stretch.doubtful())
                        .synced(sync ? bytes : 0));
            }
        }
        return Optional.of(new FileContent(changed, writer, sight, recoveries));
    }

    /**
     * Closed by its writer after so many bytes; empty when it is not the writer or fewer than acknowledged. After a
     * recovery closed the file for its writer, the namenode confirms a close at just that length (HDFS: completeFile).
     */
    Optional<FileContent> closedBy(long tag, long bytes, boolean sync) {
        if (writer != tag && !(writer == CLOSED && mayEndWith(tag))) {
            return Optional.empty();
        }
        for (Stretch stretch : stretches) {
            if (stretch.tag() == tag && !stretch.admits(bytes)) {
                return Optional.empty();
            }
        }
        return Optional.of(closed(stretches.stream()
                .map(stretch -> stretch.tag() == tag ? stretch.of(bytes).synced(sync ? bytes : 0) : stretch)
                .toList()));
    }

    /** Returns whether there may be nothing behind the bytes of a tag. */
    private boolean mayEndWith(long tag) {
        long behind = 0;
        for (Stretch stretch : stretches) {
            behind = stretch.tag() == tag ? 0 : behind + stretch.least();
        }
        return behind == 0;
    }

    /** Closed and cut to a length; empty when it is shorter. */
    Optional<FileContent> cut(long length) {
        if (length > most()) {
            return Optional.empty();
        }
        List<Stretch> left = new ArrayList<>();
        long rest = length;
        int last = stretches.size() - 1;
        for (int i = 0; i <= last; i++) {
            Stretch stretch = stretches.get(i);
            if (rest <= stretch.least() || i == last) {
                left.add(stretch.of(Math.min(rest, stretch.most())));
                return Optional.of(closed(left));
            }
            if (!stretch.exact()) {
                return Optional.of(length > 0 ? blurred(doubtful()) : closed(List.of()));
            }
            left.add(stretch);
            rest -= stretch.most();
        }
        return Optional.of(closed(left));
    }

    /** Closed, with the bytes of other files behind its own. */
    FileContent with(List<FileContent> others) {
        List<Stretch> all = new ArrayList<>(stretches);
        others.forEach(other -> all.addAll(other.stretches()));
        if (blurred() || others.stream().anyMatch(FileContent::blurred)) {
            return blurred(doubtful() || others.stream().anyMatch(FileContent::doubtful));
        }
        return closed(all);
    }

    /** Content after a read returned these runs; empty when they cannot be read from it. */
    Optional<FileContent> read(List<Run> runs, Answer.Access access) {
        if (access == Answer.Access.OPEN && writer == CLOSED) {
            return Optional.empty();
        }
        boolean open = access == Answer.Access.OPEN || (access == Answer.Access.EITHER && writer != CLOSED);
        if (blurred()) {
            return Optional.of(open || runs.stream().anyMatch(run -> !run.named()) ? this : ofRuns(runs));
        }
        List<Stretch> seen = new ArrayList<>();
        int next = 0;
        for (Stretch stretch : stretches) {
            long bytes = 0;
            if (next < runs.size() && beginsWith(stretch, runs.get(next))) {
                bytes = runs.get(next++).bytes();
            }
            if (!stretch.admits(bytes)) {
                return Optional.empty();
            }
            seen.add(open && stretch.tag() == writer ? stretch : stretch.of(bytes));
        }
        if (next < runs.size()) {
            return Optional.empty();
        }
        return Optional.of(open ? new FileContent(seen, writer, Sight.SHARP, recoveries) : closed(seen));
    }

    /** After several machines lost power. */
    FileContent withoutPower() {
        return new FileContent(
                stretches.stream()
                        .map(stretch -> stretch.withoutPower(writer != CLOSED && stretch.tag() == writer))
                        .toList(),
                writer,
                blurred() ? Sight.BLURRED_AND_DOUBTFUL : sight,
                recoveries);
    }

    /**
     * Content after a read failed in part; empty unless each lost byte may be lost, and the bytes before are those that
     * were written. A file without a hole could have been read whole, and content that ends before its first hole is
     * too short.
     */
    Optional<FileContent> lost(Answer.Lost lost) {
        if (lost.holes().isEmpty() || lost.bytesBefore() < lost.holes().get(0).from()) {
            return Optional.empty();
        }
        if (blurred()) {
            return doubtful() ? Optional.of(this) : Optional.empty();
        }
        return closedAt(lost.length())
                .filter(content -> lost.holes().stream().allMatch(content::mayBeGone))
                .filter(content -> content.beginsWith(lost.runs()));
    }

    /**
     * True when each byte may lie behind the acknowledged sync of its stretch, and the power was lost since it was
     * written.
     */
    private boolean mayBeGone(Answer.Hole hole) {
        long least = 0;
        long most = 0;
        long gone = hole.from();
        for (Stretch stretch : stretches) {
            boolean within = least + stretch.synced() <= gone && gone < most + stretch.most();
            most += stretch.most();
            least += stretch.least();
            if (stretch.doubtful() && within) {
                gone = most;
            }
        }
        return gone >= hole.to();
    }

    private boolean beginsWith(List<Run> runs) {
        int next = 0;
        for (Stretch stretch : stretches) {
            if (next == runs.size()) {
                return true;
            }
            Run run = runs.get(next);
            boolean last = next == runs.size() - 1;
            boolean its = run.named() ? run.tag() == stretch.tag() : last || stretch.admits(run.bytes());
            if (its && run.bytes() <= stretch.most() && (last || stretch.least() <= run.bytes())) {
                next++;
            } else if (stretch.least() > 0) {
                return false;
            }
        }
        return next == runs.size();
    }

    private static boolean beginsWith(Stretch stretch, Run run) {
        return run.named() ? run.tag() == stretch.tag() : stretch.admits(run.bytes());
    }

    private FileContent ofRuns(List<Run> runs) {
        return new FileContent(
                runs.stream()
                        .map(run -> new Stretch(run.tag(), run.bytes(), run.bytes(), 0, doubtful()))
                        .toList(),
                CLOSED,
                Sight.SHARP);
    }
}
