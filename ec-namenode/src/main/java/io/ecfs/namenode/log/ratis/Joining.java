package io.ecfs.namenode.log.ratis;

import io.ecfs.env.real.DirectoryTree;
import io.ecfs.namenode.log.ReplicatedState.Position;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Joining of a namenode that started on an empty directory, until it has caught up. It may have acknowledged entries,
 * and voted, before its disk was lost; with its vote a candidate that misses those entries could lead, and they would
 * be gone although a majority had them. So until it has caught up with a leader it does not stand for election, and it
 * votes only when the vote cannot lose anything that is still on a disk:
 *
 * <ul>
 *   <li>every other namenode of the log has described its log to this one since this process began, and
 *   <li>the candidate's last entry, by term and index, is not older than any of theirs, and
 *   <li>the vote is for a term above all of theirs: this namenode may have voted in those before.
 * </ul>
 *
 * An entry that is committed after a namenode described its log is on a majority that this vote's own log takes part
 * in, so Raft's rule holds for it. A marker file keeps the state over restarts. First members of a log ({@link
 * #markFormatted}) do not join: they have lost nothing. Safe for use by many threads.
 */
final class Joining {
    private static final Logger LOG = LoggerFactory.getLogger(Joining.class);
    private static final Comparator<Position> BY_TERM_AND_INDEX =
            Comparator.comparingLong(Position::term).thenComparingLong(Position::index);

    /** Another namenode's description of its log: the newest term it knows, and its last entry. */
    record Standing(long term, Position last) {
        static Standing of(long term, Position inLog, Position inState) {
            return new Standing(term, BY_TERM_AND_INDEX.compare(inLog, inState) >= 0 ? inLog : inState);
        }
    }

    /** A request for a vote. A pre-vote asks for the candidate's present term and is not binding. */
    record Candidate(String id, long term, boolean preVote, Position last) {}

    private final String id;
    private final Path marker;
    private final Set<String> others;
    private final Map<String, Standing> standings = new ConcurrentHashMap<>();
    private volatile boolean joining;

    private Joining(String id, Path marker, Set<String> others, boolean joining) {
        this.id = id;
        this.marker = marker;
        this.others = new TreeSet<>(others);
        this.joining = joining;
    }

    /** Marks the log in this directory, which must be empty, as that of a first member. */
    static void markFormatted(Path directory) throws IOException {
        Files.createDirectories(directory);
        try {
            Files.createFile(formatted(directory));
        } catch (FileAlreadyExistsException e) {
            LOG.debug("event=formatted_again directory={}", directory);
        }
        DirectoryTree.sync(directory);
    }

    /**
     * To be asked before Ratis writes its first file.
     *
     * @param raft directory of the Raft log
     * @param others namenodes of the log beside this one; without any there is no candidate to vote for
     */
    static Joining open(String id, Path raft, Set<String> others) throws IOException {
        Path directory = raft.toAbsolutePath().getParent();
        Path marker = directory.resolve("joining");
        boolean empty;
        try (DirectoryStream<Path> found = Files.newDirectoryStream(raft)) {
            empty = !found.iterator().hasNext();
        }
        if (!empty) {
            Files.deleteIfExists(formatted(directory)); // with another log it is no first member
        } else if (!others.isEmpty() && !Files.exists(formatted(directory)) && !Files.exists(marker)) {
            Files.createFile(marker);
            DirectoryTree.sync(directory);
        }
        return new Joining(id, marker, others, !others.isEmpty() && Files.exists(marker));
    }

    private static Path formatted(Path directory) {
        return directory.resolve("formatted");
    }

    /** Another namenode of the same log described it. */
    void described(String other, Standing standing) {
        if (others.contains(other)) {
            standings.put(other, standing);
        }
    }

    /** Those whose description is missing. */
    List<String> missing() {
        return others.stream().filter(other -> !standings.containsKey(other)).toList();
    }

    /** The reason why this namenode may not vote for a candidate; empty when it may. */
    Optional<String> refusal(Candidate candidate) {
        if (!joining) {
            return Optional.empty();
        }
        if (!missing().isEmpty()) {
            return Optional.of("namenode " + id + " started on an empty directory: no vote before " + missing()
                    + " answered how far their logs reach, or a leader gave it the state");
        }
        for (Map.Entry<String, Standing> other : standings.entrySet()) {
            Standing standing = other.getValue();
            if (BY_TERM_AND_INDEX.compare(candidate.last(), standing.last()) < 0) {
                return Optional.of("namenode " + id + " started on an empty directory: no vote for " + candidate.id()
                        + ", whose log ends at " + candidate.last() + ", while that of " + other.getKey() + " reaches "
                        + standing.last());
            }
            boolean mayHaveVoted =
                    candidate.preVote() ? candidate.term() < standing.term() : candidate.term() <= standing.term();
            if (mayHaveVoted) {
                return Optional.of("namenode " + id + " started on an empty directory: no vote in term "
                        + candidate.term() + ", it may have given one before");
            }
        }
        return Optional.empty();
    }

    boolean over() {
        return !joining;
    }

    /** All that was committed before it began to join is here. */
    void caughtUp() {
        if (!joining) {
            return;
        }
        joining = false;
        try {
            Files.deleteIfExists(marker);
            LOG.info("event=namenode_joined namenode={}", id);
        } catch (IOException e) {
            LOG.warn("event=joining_marker_not_deleted file={} error={}", marker, e.toString());
        }
    }
}
