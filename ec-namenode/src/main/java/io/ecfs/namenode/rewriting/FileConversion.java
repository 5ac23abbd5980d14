package io.ecfs.namenode.rewriting;

import io.ecfs.layout.Extent;
import io.ecfs.layout.InodeId;
import io.ecfs.layout.Policy;
import io.ecfs.message.namespace.RefusedFile;
import io.ecfs.message.report.Conversion;
import io.ecfs.message.report.Conversion.State;
import io.ecfs.namenode.group.ConversionFacts;
import io.ecfs.namenode.group.RewritePiece;
import io.ecfs.namenode.namespace.inode.Inode;
import io.ecfs.namenode.state.MetadataView;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One conversion: counts the files of its tree, then walks it again and says what is to be rewritten next. A file whose
 * bytes are all in new groups is compared with the facts; one that is not converted then is tried again a few times.
 * Owner thread: the namenode's event thread.
 */
final class FileConversion implements RewriteJob {
    private static final Logger LOG = LoggerFactory.getLogger(FileConversion.class);

    /** Names that one step walks over. */
    private static final int PAGE = 500;

    private final ConversionFacts facts;
    private final RewriteSources sources;
    private final RewriteBatches batches;
    private final ConversionCounts counts;
    private final ConversionAttempts attempts;
    /** Of the files that were counted, as they will be rewritten. */
    private final RewriteBatches counted;

    private final Deque<InodeId> queue = new ArrayDeque<>();
    private Optional<TreeCursor> cursor = Optional.empty();
    private State state = State.COUNTING;
    private boolean paused;
    private Optional<String> blocked = Optional.empty();

    /** @param clockMillis of the leader, monotonic */
    FileConversion(ConversionFacts facts, LongSupplier clockMillis, RewriteSources sources) {
        this.facts = facts;
        this.sources = sources;
        this.counts = new ConversionCounts(facts.known().progress(), clockMillis);
        this.attempts = new ConversionAttempts(clockMillis);
        this.batches = new RewriteBatches(policy(), RewriteReason.CONVERSION);
        this.counted = new RewriteBatches(policy(), RewriteReason.CONVERSION);
    }

    private Policy policy() {
        return facts.known().policy();
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
            counts.pause();
        } else if (!now && paused) {
            counts.resume();
        }
        paused = now;
    }

    /** Returns whether its progress is another than that recorded last. */
    boolean advanced() {
        return !state.ended() && counts.advanced();
    }

    void recorded(Conversion.Progress progress) {
        counts.recorded(progress);
    }

    Conversion report() {
        Conversion known = facts.known();
        Conversion now = state.ended() ? known : known.in(paused ? State.PAUSED : state, 0);
        return now.with(counts.progress(), counts.firstFailure().or(known::firstFailure))
                .now(
                        going() ? blocked.or(attempts::waitsFor) : Optional.empty(),
                        converts() ? counts.leftMillis() : Optional.empty());
    }

    @Override
    public void blocked(Optional<String> reason) {
        blocked = reason;
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
                List<Extent> others = RewriteSources.otherPolicy(view, file(met.file()), policy());
                counts.found(others);
                if (!others.isEmpty()) {
                    counted.plan(view, met.file(), others);
                }
            }
        }
        if (walk.ended()) {
            counted.closeSmall();
        }
        counts.toWrite(counted.forecast());
        if (!walk.ended()) {
            return new Need.Turn();
        }
        if (facts.known().dryRun()) {
            become(State.DONE, "counted");
            return new Need.Nothing();
        }
        counts.begin();
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
        if (attempts.isEmpty()) {
            become(counts.noneFailed() ? State.DONE : State.FAILED, "all files were tried");
        }
        return new Need.Nothing();
    }

    private Optional<InodeId> nextFile() {
        return attempts.full() || queue.isEmpty() ? attempts.due() : Optional.of(queue.poll());
    }

    private Need examine(MetadataView view, InodeId id) {
        if (attempts.isRewritten(id)) { // met twice by the walk
            return new Need.Turn();
        }
        Optional<Inode> found = linked(view, id);
        if (found.isEmpty() || isConverted(view, found.get())) {
            if (attempts.forget(id)) { // deleted meanwhile, or converted by another's doing
                counts.converted();
            }
            return new Need.Turn();
        }
        Inode inode = found.get();
        List<Extent> others = RewriteSources.otherPolicy(view, file(inode), policy());
        Optional<String> never = whyNever(view, inode, others);
        if (never.isPresent()) {
            fail(view, id, never.get());
            return new Need.Turn();
        }
        attempts.begin(id);
        if (others.isEmpty()) {
            attempts.await(id, 1);
            return new Need.Adoption(policy(), id);
        }
        Optional<String> notNow = sources.unreadable(view, others);
        if (notNow.isPresent()) {
            attempts.postpone(id, notNow.get()).ifPresent(reason -> fail(view, id, reason));
        } else {
            attempts.await(id, batches.plan(view, inode, others));
        }
        return new Need.Turn();
    }

    private Optional<String> whyNever(MetadataView view, Inode inode, List<Extent> others) {
        String user = facts.known().user();
        if (!facts.superuser() && !inode.attributes().owner().equals(user)) {
            return Optional.of("it belongs to " + inode.attributes().owner() + ": have the superuser convert it");
        }
        if (!file(inode).patches().isEmpty()) {
            return Optional.of("it has patches: compact it first");
        }
        if (file(inode).updating() || (file(inode).open() && others.isEmpty())) {
            return Optional.of("it is open for writing: convert it again when it is closed");
        }
        if (others.stream().anyMatch(extent -> RewriteSources.lost(view, extent))) {
            return Optional.of("it lost bytes with power: 'ecfs admin fsck' lists it");
        }
        return Optional.empty();
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
        counts.rewritten(
                pieces.stream().mapToLong(piece -> piece.extent().length()).sum());
        refused.forEach(file -> attempts.tryNoMore(file.file()));
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
            if (!attempts.ended(file)) {
                continue;
            }
            boolean left = linked(view, file)
                    .filter(inode -> !isConverted(view, inode))
                    .isPresent();
            if (left) {
                attempts.retry(file, reason).ifPresent(failure -> fail(view, file, failure));
            } else {
                attempts.forget(file);
                counts.converted();
            }
        }
    }

    private void fail(MetadataView view, InodeId file, String reason) {
        attempts.forget(file);
        // Names of others' files may be hidden from the user.
        String path = view.knownNamespace()
                .status(file)
                .filter(status ->
                        facts.superuser() || status.owner().equals(facts.known().user()))
                .map(status -> status.path().toString())
                .orElse("a file below " + facts.known().path());
        LOG.info("event=file_not_converted job={} path={} reason=\"{}\"", facts.job(), path, reason);
        counts.failed(path + ": " + reason);
    }

    private void become(State next, String reason) {
        LOG.info(
                "event=conversion_state job={} path={} policy={} from={} to={} {} reason=\"{}\"",
                facts.job(),
                facts.known().path(),
                policy(),
                state,
                next,
                counts,
                reason);
        state = next;
    }
}
