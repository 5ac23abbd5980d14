package io.ecfs.namenode.rewriting;

import io.ecfs.layout.Extent;
import io.ecfs.layout.InodeId;
import io.ecfs.layout.Policy;
import io.ecfs.message.namespace.RefusedFile;
import io.ecfs.message.report.Conversion;
import io.ecfs.message.report.Conversion.Progress;
import io.ecfs.message.report.Conversion.State;
import io.ecfs.namenode.group.ConversionFacts;
import io.ecfs.namenode.group.RewritePiece;
import io.ecfs.namenode.namespace.inode.Inode;
import io.ecfs.namenode.state.MetadataView;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One conversion: counts the files of its tree, then walks it again and says what is to be rewritten next. A file whose
 * bytes are all in new groups is compared with the facts; one that is not converted then is tried again a few times.
 * Owner thread: the namenode's event thread.
 */
final class FileConversion implements RewriteJob {
    static final String WHY = "converted";

    private static final Logger LOG = LoggerFactory.getLogger(FileConversion.class);

    /** Names that one step walks over. */
    private static final int PAGE = 500;

    private static final int MOST_ATTEMPTS = 4;

    /** Files that wait for their turn to be tried again, at most. */
    private static final int MOST_LATER = 100_000;

    /** Time after which a file is examined again whose sources cannot be read yet. */
    private static final Duration PAUSE = Duration.ofSeconds(1);

    /** So many files may wait for sources that cannot be read before the walk waits, too. */
    private static final int MOST_WAITING = 1000;

    /** A file waits at most so long for sources that cannot be read, while nothing is reconstructed. */
    private static final Duration PATIENCE = Duration.ofMinutes(30);

    private final ConversionFacts facts;
    private final Progress before;
    private final LongSupplier clockMillis;
    private final Sources sources;
    private final RewriteBatches batches;
    /** Of the files that were counted, as they will be rewritten. */
    private final RewriteBatches counted;

    private final Deque<InodeId> queue = new ArrayDeque<>();
    /** When files are examined again, by the clock. */
    private final TreeSet<Later> later = new TreeSet<>(Later.FIRST);
    /** Rewrites that files wait for. */
    private final Map<InodeId, Integer> outstanding = new HashMap<>();

    private final Map<InodeId, Integer> attempts = new HashMap<>();
    private Optional<TreeCursor> cursor = Optional.empty();
    private State state = State.COUNTING;
    private boolean paused;
    private long files;
    private long converted;
    private long failed;
    private long bytes;
    private long bytesToWrite;
    private long bytesDone;
    private Optional<String> held = Optional.empty();
    /** Since when files wait for their sources, by the clock; and why the last one of them. */
    private final Map<InodeId, Long> waiting = new HashMap<>();

    private Optional<String> postponed = Optional.empty();

    private Optional<String> firstFailure = Optional.empty();
    /** When it began to rewrite, without the times of pauses. */
    private long runsSinceMillis;

    private long pausedMillis;
    private Progress recorded;

    /** @param clockMillis of the leader, monotonic */
    FileConversion(ConversionFacts facts, LongSupplier clockMillis, Sources sources) {
        this.facts = facts;
        this.before = facts.known().progress();
        this.recorded = before;
        this.clockMillis = clockMillis;
        this.sources = sources;
        this.batches = new RewriteBatches(policy());
        this.counted = new RewriteBatches(policy());
    }

    private Policy policy() {
        return facts.known().policy();
    }

    @Override
    public String why() {
        return WHY;
    }

    @Override
    public boolean freesSpace() {
        return false;
    }

    @Override
    public boolean onlyCounts() {
        return state == State.COUNTING;
    }

    /** Returns whether it has steps to take. */
    boolean going() {
        return !paused && !state.ended();
    }

    /** Returns whether it rewrites files at present. */
    boolean converts() {
        return going() && state == State.RUNNING;
    }

    /** The state in which it ended; empty while it goes on. */
    Optional<State> end() {
        return Optional.of(state).filter(State::ended);
    }

    void pause(boolean now) {
        if (now && !paused) {
            pausedMillis = clockMillis.getAsLong();
        } else if (!now && paused) {
            runsSinceMillis += clockMillis.getAsLong() - pausedMillis;
        }
        paused = now;
    }

    /** Returns whether its progress is another than when it was asked last. */
    boolean advanced() {
        Progress now = progress();
        boolean other = !state.ended() && !now.equals(recorded);
        recorded = now;
        return other;
    }

    Conversion report() {
        Conversion known = facts.known();
        Conversion now = state.ended() ? known : known.in(paused ? State.PAUSED : state, 0);
        return now.with(progress(), firstFailure.or(known::firstFailure))
                .now(
                        going() ? held.or(() -> postponed.filter(reason -> !waiting.isEmpty())) : Optional.empty(),
                        leftMillis());
    }

    /** What earlier leaders did, and what this one has counted and done since. */
    private Progress progress() {
        long writtenBefore =
                before.bytes() == 0 ? 0 : (long) ((double) before.bytesToWrite() * before.bytesDone() / before.bytes());
        return new Progress(
                before.converted() + Math.max(files, converted + failed),
                before.converted() + converted,
                failed,
                before.bytesDone() + bytes,
                writtenBefore + bytesToWrite,
                before.bytesDone() + bytesDone);
    }

    private Optional<Long> leftMillis() {
        if (!converts() || bytesDone == 0) {
            return Optional.empty();
        }
        long ran = clockMillis.getAsLong() - runsSinceMillis;
        return Optional.of((long) ((double) ran * Math.max(0, bytes - bytesDone) / bytesDone));
    }

    @Override
    public void heldBack(Optional<String> reason) {
        held = reason;
    }

    @Override
    public Need next(MetadataView view) {
        if (cursor.isEmpty()) {
            cursor = view.knownNamespace()
                    .inode(facts.top())
                    .map(top -> new TreeCursor(top.id(), top.isDirectory(), List.of()));
        }
        if (cursor.isEmpty()) {
            become(State.DONE, "the path was deleted");
            return new Need.Nothing();
        }
        return state == State.COUNTING ? count(view, cursor.get()) : run(view, cursor.get());
    }

    private Need count(MetadataView view, TreeCursor walk) {
        for (TreeCursor.Met met : walk.next(view.knownNamespace(), PAGE)) {
            if (!isConverted(view, met.file())) {
                files++;
                List<Extent> others = Sources.otherPolicy(view, file(met.file()), policy());
                bytes += others.stream().mapToLong(Extent::length).sum();
                if (!others.isEmpty()) {
                    counted.plan(view, met.file(), others);
                }
            }
        }
        if (walk.ended()) {
            counted.closeSmall();
        }
        bytesToWrite += counted.forecast();
        if (!walk.ended()) {
            return new Need.Turn();
        }
        if (facts.known().dryRun()) {
            become(State.DONE, "counted");
            return new Need.Nothing();
        }
        runsSinceMillis = clockMillis.getAsLong();
        become(State.RUNNING, "counted");
        cursor = Optional.empty();
        return new Need.Turn();
    }

    private Need run(MetadataView view, TreeCursor walk) {
        Optional<Need.Rewrite> planned = batches.next();
        if (planned.isPresent()) {
            return planned.get();
        }
        Optional<InodeId> file = nextFile();
        if (file.isPresent()) {
            return examine(view, file.get());
        }
        if (!walk.ended()) {
            walk.next(view.knownNamespace(), PAGE)
                    .forEach(met -> queue.add(met.file().id()));
            return new Need.Turn();
        }
        batches.closeSmall();
        planned = batches.next();
        if (planned.isPresent()) {
            return planned.get();
        }
        if (later.isEmpty() && outstanding.isEmpty()) {
            become(failed == 0 ? State.DONE : State.FAILED, "all files were tried");
        }
        return new Need.Nothing();
    }

    private record Later(long dueMillis, InodeId file) {
        static final Comparator<Later> FIRST = Comparator.comparingLong(Later::dueMillis)
                .thenComparing(Later::file, Comparator.comparing(InodeId::value));
    }

    private boolean walks() {
        return waiting.size() < MOST_WAITING;
    }

    private Optional<InodeId> nextFile() {
        if (walks() && !queue.isEmpty()) {
            return Optional.of(queue.poll());
        }
        boolean due = !later.isEmpty() && later.first().dueMillis() <= clockMillis.getAsLong();
        return due ? Optional.of(later.pollFirst().file()) : Optional.empty();
    }

    private Need examine(MetadataView view, InodeId id) {
        if (outstanding.containsKey(id)) { // met twice by the walk
            return new Need.Turn();
        }
        Optional<Inode> found = linked(view, id);
        if (found.isEmpty() || isConverted(view, found.get())) {
            waiting.remove(id);
            converted += attempts.remove(id) == null ? 0 : 1; // deleted meanwhile, or by another's doing
            return new Need.Turn();
        }
        Inode inode = found.get();
        List<Extent> others = Sources.otherPolicy(view, file(inode), policy());
        Optional<String> never = whyNever(view, inode, others);
        if (never.isPresent()) {
            fail(view, id, never.get());
            return new Need.Turn();
        }
        attempts.putIfAbsent(id, 0);
        if (others.isEmpty()) {
            outstanding.put(id, 1);
            return new Need.Adoption(policy(), id);
        }
        Optional<String> notNow = sources.unreadable(view, others);
        if (notNow.isPresent()) {
            postpone(view, id, notNow.get());
        } else {
            waiting.remove(id);
            outstanding.put(id, batches.plan(view, inode, others));
        }
        return new Need.Turn();
    }

    /** Others go on meanwhile: what is lost for good would hold them up for ever. */
    private void postpone(MetadataView view, InodeId id, String reason) {
        postponed = Optional.of(reason);
        long now = clockMillis.getAsLong();
        if (now - waiting.computeIfAbsent(id, file -> now) < PATIENCE.toMillis()) {
            examineLater(view, id, PAUSE.multipliedBy(1 + waiting.size() / 50));
        } else {
            fail(view, id, reason);
        }
    }

    private Optional<String> whyNever(MetadataView view, Inode inode, List<Extent> others) {
        String user = facts.known().user();
        if (!facts.superuser() && !inode.attributes().owner().equals(user)) {
            return Optional.of("it belongs to " + inode.attributes().owner() + ": have the superuser convert it");
        }
        if (file(inode).open() && others.isEmpty()) {
            return Optional.of("it is open for writing: convert it again when it is closed");
        }
        if (others.stream().anyMatch(extent -> Sources.lost(view, extent))) {
            return Optional.of("it lost bytes with power: 'ecfs admin fsck' lists it");
        }
        return file(inode).patches().isEmpty()
                ? Optional.empty()
                : Optional.of("it has patches, which this release does not convert");
    }

    /** Returns whether a file has this policy, and all its bytes. */
    private boolean isConverted(MetadataView view, Inode inode) {
        return file(inode).policy().equals(policy())
                && file(inode).extents().stream()
                        .allMatch(extent -> view.group(extent.group())
                                .filter(group -> group.policy().equals(policy()))
                                .isPresent());
    }

    /** The file, unless it was deleted, or a directory above it. */
    private static Optional<Inode> linked(MetadataView view, InodeId file) {
        return view.knownNamespace()
                .status(file)
                .flatMap(status -> view.knownNamespace().inode(file));
    }

    private static Inode.File file(Inode inode) {
        return (Inode.File) inode.body();
    }

    @Override
    public void putBack(Need.Rewrite rewrite) {
        batches.putBack(rewrite);
    }

    @Override
    public void rewritten(MetadataView view, List<RewritePiece> pieces, List<RefusedFile> refused) {
        bytesDone += pieces.stream().mapToLong(piece -> piece.extent().length()).sum();
        refused.forEach(file -> attempts.put(file.file(), MOST_ATTEMPTS));
        for (InodeId file : files(pieces)) {
            String reason = refused.stream()
                    .filter(each -> each.file().equals(file))
                    .map(RefusedFile::reason)
                    .findFirst()
                    .orElse("it changed each time while it was rewritten");
            release(view, List.of(file), reason);
        }
    }

    @Override
    public void notRewritten(MetadataView view, List<RewritePiece> pieces, String reason) {
        release(view, files(pieces), reason);
    }

    @Override
    public void adopted(MetadataView view, InodeId file, Optional<String> reason) {
        release(view, List.of(file), reason.orElse("it changed"));
    }

    private static List<InodeId> files(List<RewritePiece> pieces) {
        return pieces.stream().map(RewritePiece::file).distinct().toList();
    }

    /** @param reason of a file's failure, if it is not converted and was tried often enough */
    private void release(MetadataView view, List<InodeId> done, String reason) {
        for (InodeId file : done) {
            if (outstanding.merge(file, -1, Integer::sum) > 0) {
                continue;
            }
            outstanding.remove(file);
            boolean left = linked(view, file)
                    .filter(inode -> !isConverted(view, inode))
                    .isPresent();
            int tried = attempts.merge(file, 1, Integer::sum);
            if (!left) {
                attempts.remove(file);
                converted++;
            } else if (tried < MOST_ATTEMPTS) {
                examineLater(view, file, PAUSE.multipliedBy(tried));
            } else {
                fail(view, file, reason);
            }
        }
    }

    private void examineLater(MetadataView view, InodeId file, Duration pause) {
        if (later.size() < MOST_LATER) {
            later.add(new Later(clockMillis.getAsLong() + pause.toMillis(), file));
        } else {
            fail(view, file, "too many files have failed and wait for another try: convert it again");
        }
    }

    private void fail(MetadataView view, InodeId file, String reason) {
        attempts.remove(file);
        waiting.remove(file);
        failed++;
        // Names of others' files may be hidden from the user.
        String path = view.knownNamespace()
                .status(file)
                .filter(status ->
                        facts.superuser() || status.owner().equals(facts.known().user()))
                .map(status -> status.path().toString())
                .orElse("a file below " + facts.known().path());
        LOG.info("event=file_not_converted job={} path={} reason=\"{}\"", facts.job(), path, reason);
        if (firstFailure.isEmpty()) {
            firstFailure = Optional.of(path + ": " + reason);
        }
    }

    private void become(State next, String reason) {
        LOG.info(
                "event=conversion_state job={} path={} policy={} from={} to={} files={} converted={} failed={}"
                        + " bytes={} reason=\"{}\"",
                facts.job(),
                facts.known().path(),
                policy(),
                state,
                next,
                files,
                converted,
                failed,
                bytes,
                reason);
        state = next;
    }
}
