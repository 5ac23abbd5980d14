package io.ecfs.namenode.rewriting;

import io.ecfs.layout.Extent;
import io.ecfs.layout.GroupLayout;
import io.ecfs.layout.InodeId;
import io.ecfs.layout.Policy;
import io.ecfs.message.namespace.NamespaceRequest.ConvertFiles;
import io.ecfs.message.namespace.RefusedFile;
import io.ecfs.message.report.Conversion;
import io.ecfs.message.report.Conversion.State;
import io.ecfs.namenode.group.GroupFacts;
import io.ecfs.namenode.group.PackedGroups;
import io.ecfs.namenode.group.RewritePiece;
import io.ecfs.namenode.namespace.inode.Inode;
import io.ecfs.namenode.state.MetadataView;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One conversion: counts the files of its tree, then walks it again and says what is to be rewritten next. A file whose
 * bytes are all in new groups is compared with the facts; one that is not converted then is tried again a few times.
 * Owner thread: the namenode's event thread.
 */
final class FileConversion {
    private static final Logger LOG = LoggerFactory.getLogger(FileConversion.class);

    /** Names that one step walks over. */
    private static final int PAGE = 500;

    private static final int MOST_ATTEMPTS = 4;

    /** Files that wait for their turn to be tried again, at most. */
    private static final int MOST_LATER = 100_000;

    /** Time after which a file is examined again whose sources cannot be read yet. */
    private static final Duration PAUSE = Duration.ofSeconds(1);

    /** A file waits at most so long for sources that cannot be read, while nothing is reconstructed. */
    private static final Duration PATIENCE = Duration.ofMinutes(30);

    private final ConvertFiles request;
    private final Requester requester;
    private final long job;
    private final InodeId top;
    private final LongSupplier clockMillis;
    private final Function<GroupFacts, Optional<String>> unreadable;
    private final long begunMillis;
    private final RewriteBatches batches;
    private final Deque<InodeId> queue = new ArrayDeque<>();
    /** When files are examined again, by the clock. */
    private final Map<InodeId, Long> later = new LinkedHashMap<>();
    /** Rewrites that files wait for. */
    private final Map<InodeId, Integer> outstanding = new HashMap<>();

    private final Map<InodeId, Integer> attempts = new HashMap<>();
    private TreeCursor cursor;
    private State state = State.COUNTING;
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
    private long endedMillis;

    /** @param superuser may convert files of others */
    record Requester(String user, boolean superuser) {}

    /** What a conversion needs now. */
    sealed interface Need {
        /** To have these bytes in a new group. */
        record Rewrite(List<RewritePiece> pieces) implements Need {}

        /** To have its policy adopted by a file without bytes under another one. */
        record Adoption(InodeId file) implements Need {}

        /** To go on with its walk. */
        record Turn() implements Need {}

        /** Nothing but that time passes, or rewrites end. */
        record Nothing() implements Need {}
    }

    /**
     * @param top the file or directory
     * @param clockMillis of the leader, monotonic
     * @param unreadable the reason why the bytes of a sealed group are not to be copied now
     */
    FileConversion(
            long job,
            ConvertFiles request,
            Requester requester,
            Inode top,
            LongSupplier clockMillis,
            Function<GroupFacts, Optional<String>> unreadable) {
        this.job = job;
        this.request = request;
        this.requester = requester;
        this.top = top.id();
        this.clockMillis = clockMillis;
        this.unreadable = unreadable;
        this.begunMillis = clockMillis.getAsLong();
        this.batches = new RewriteBatches(request.policy());
        walkAnew(top.isDirectory());
    }

    private void walkAnew(boolean directory) {
        cursor = new TreeCursor(top, directory);
    }

    long job() {
        return job;
    }

    ConvertFiles request() {
        return request;
    }

    Requester requester() {
        return requester;
    }

    Policy policy() {
        return request.policy();
    }

    /** Returns whether it counts files and changes nothing yet. */
    boolean counts() {
        return state == State.COUNTING;
    }

    boolean ended() {
        return state.ended();
    }

    Conversion report() {
        return new Conversion(
                job,
                request.path(),
                policy(),
                requester.user(),
                request.dryRun(),
                state,
                Math.max(files, converted + failed),
                converted,
                failed,
                bytes,
                bytesToWrite,
                bytesDone,
                ended() ? Optional.empty() : held.or(() -> postponed.filter(reason -> !waiting.isEmpty())),
                firstFailure,
                (ended() ? endedMillis : clockMillis.getAsLong()) - begunMillis);
    }

    /** @param reason why nothing is rewritten now; empty: it goes on */
    void heldBack(Optional<String> reason) {
        held = reason;
    }

    Need next(MetadataView view) {
        return state == State.COUNTING ? count(view) : run(view);
    }

    private Need count(MetadataView view) {
        for (Inode inode : cursor.next(view.knownNamespace(), PAGE)) {
            List<Extent> others = others(view, inode);
            if (!others.isEmpty() || !file(inode).policy().equals(policy())) {
                files++;
                for (Extent extent : others) {
                    bytes += extent.length();
                    bytesToWrite += GroupLayout.storedBytes(policy(), extent.length());
                }
            }
        }
        if (!cursor.ended()) {
            return new Need.Turn();
        }
        if (request.dryRun()) {
            end(State.DONE, "counted");
            return new Need.Nothing();
        }
        become(State.RUNNING, "counted");
        walkAnew(view.knownNamespace().inode(top).filter(Inode::isDirectory).isPresent());
        return new Need.Turn();
    }

    private Need run(MetadataView view) {
        Optional<List<RewritePiece>> planned = batches.next();
        if (planned.isPresent()) {
            return new Need.Rewrite(planned.get());
        }
        Optional<InodeId> file = nextFile();
        if (file.isPresent()) {
            return examine(view, file.get());
        }
        if (!cursor.ended()) {
            cursor.next(view.knownNamespace(), PAGE).forEach(inode -> queue.add(inode.id()));
            return new Need.Turn();
        }
        batches.closeSmall();
        planned = batches.next();
        if (planned.isPresent()) {
            return new Need.Rewrite(planned.get());
        }
        if (later.isEmpty() && outstanding.isEmpty()) {
            end(failed == 0 ? State.DONE : State.FAILED, "all files were tried");
        }
        return new Need.Nothing();
    }

    private Optional<InodeId> nextFile() {
        long now = clockMillis.getAsLong();
        Iterator<Map.Entry<InodeId, Long>> first = later.entrySet().iterator();
        if (first.hasNext()) {
            Map.Entry<InodeId, Long> next = first.next();
            if (next.getValue() <= now) {
                first.remove();
                return Optional.of(next.getKey());
            }
        }
        return Optional.ofNullable(queue.poll());
    }

    private Need examine(MetadataView view, InodeId id) {
        if (outstanding.containsKey(id)) { // met twice by the walk
            return new Need.Turn();
        }
        Optional<Inode> found = linked(view, id);
        if (found.isEmpty()) {
            waiting.remove(id);
            converted += attempts.remove(id) == null ? 0 : 1; // deleted meanwhile
            return new Need.Turn();
        }
        Inode inode = found.get();
        List<Extent> others = others(view, inode);
        if (others.isEmpty() && file(inode).policy().equals(policy())) {
            waiting.remove(id);
            converted += attempts.remove(id) == null ? 0 : 1;
            return new Need.Turn();
        }
        Optional<String> never = whyNever(inode);
        if (never.isPresent()) {
            fail(view, id, never.get());
            return new Need.Turn();
        }
        attempts.putIfAbsent(id, 0);
        if (others.isEmpty()) {
            outstanding.put(id, 1);
            return new Need.Adoption(id);
        }
        Optional<String> notNow = whyNotNow(view, others);
        if (notNow.isPresent()) {
            postpone(view, id, notNow.get());
            return new Need.Turn();
        }
        waiting.remove(id);
        plan(view, inode, others);
        return new Need.Turn();
    }

    /** Others go on meanwhile: what is lost for good would hold them up for ever. */
    private void postpone(MetadataView view, InodeId id, String reason) {
        postponed = Optional.of(reason);
        long now = clockMillis.getAsLong();
        if (now - waiting.computeIfAbsent(id, file -> now) < PATIENCE.toMillis()) {
            examineLater(view, id, PAUSE);
        } else {
            fail(view, id, reason);
        }
    }

    private void plan(MetadataView view, Inode inode, List<Extent> others) {
        long length = others.stream().mapToLong(Extent::length).sum();
        boolean small = length <= policy().stripeBytes()
                && others.stream()
                        .allMatch(extent -> view.group(extent.group())
                                .filter(PackedGroups::packed)
                                .isPresent());
        if (small) {
            outstanding.put(inode.id(), 1);
            batches.addSmall(inode, others);
        } else {
            outstanding.put(inode.id(), batches.add(inode.id(), others));
        }
    }

    private Optional<String> whyNever(Inode inode) {
        if (!requester.superuser() && !inode.attributes().owner().equals(requester.user())) {
            return Optional.of("it belongs to " + inode.attributes().owner() + ": have the superuser convert it");
        }
        if (file(inode).open()) {
            return Optional.of("it is open for writing: convert it again when it is closed");
        }
        return file(inode).patches().isEmpty()
                ? Optional.empty()
                : Optional.of("it has patches, which this release does not convert");
    }

    private Optional<String> whyNotNow(MetadataView view, List<Extent> extents) {
        for (Extent extent : extents) {
            Optional<GroupFacts> group = view.sealedGroup(extent.group());
            if (group.isEmpty()) {
                return Optional.of("group " + extent.group() + " is still being written");
            }
            Optional<String> reason = unreadable.apply(group.get());
            if (reason.isPresent()) {
                return reason;
            }
        }
        return Optional.empty();
    }

    private List<Extent> others(MetadataView view, Inode inode) {
        return file(inode).extents().stream()
                .filter(extent -> view.group(extent.group())
                        .filter(group -> !group.policy().equals(policy()))
                        .isPresent())
                .toList();
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

    /** A rewrite cannot begin now. */
    void putBack(List<RewritePiece> pieces) {
        batches.putBack(pieces);
    }

    /** The bytes are in a new group, but for those of files that were refused. */
    void rewritten(MetadataView view, List<RewritePiece> pieces, List<RefusedFile> refused) {
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

    /** The bytes are where they were. */
    void notRewritten(MetadataView view, List<RewritePiece> pieces, String reason) {
        release(view, files(pieces), reason);
    }

    /** A file has adopted the policy, or not. */
    void adopted(MetadataView view, InodeId file, String reason) {
        release(view, List.of(file), reason);
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
                    .filter(inode -> !others(view, inode).isEmpty()
                            || !file(inode).policy().equals(policy()))
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
            later.put(file, clockMillis.getAsLong() + pause.toMillis());
        } else {
            fail(view, file, "too many files have failed and wait for another try: convert it again");
        }
    }

    private void fail(MetadataView view, InodeId file, String reason) {
        attempts.remove(file);
        waiting.remove(file);
        failed++;
        String path = view.knownNamespace()
                .status(file)
                .map(status -> status.path().toString())
                .orElse(file.toString());
        LOG.info("event=file_not_converted job={} path={} reason=\"{}\"", job, path, reason);
        if (firstFailure.isEmpty()) {
            firstFailure = Optional.of(path + ": " + reason);
        }
    }

    private void end(State last, String reason) {
        endedMillis = clockMillis.getAsLong();
        become(last, reason);
    }

    private void become(State next, String reason) {
        LOG.info(
                "event=conversion_state job={} path={} policy={} from={} to={} files={} converted={} failed={}"
                        + " bytes={} reason=\"{}\"",
                job,
                request.path(),
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
