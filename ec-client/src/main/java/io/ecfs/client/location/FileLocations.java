package io.ecfs.client.location;

import io.ecfs.env.Clock;
import io.ecfs.error.EcfsException;
import io.ecfs.error.ErrorCode;
import io.ecfs.message.FilePath;
import io.ecfs.message.chunk.ChunkLocation;
import io.ecfs.message.namespace.LocatedGroup;
import io.ecfs.message.namespace.NamespaceReply;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

/**
 * The locations of a file that a reader has open, also while others update it: those of one version of its layout
 * after the other. Who reads on after an update may see it. Safe for use by several threads.
 *
 * <pre>
 *   view: extents, or patches over extents --an answer is of another version--&gt; view of that version
 * </pre>
 */
public final class FileLocations implements Locations {
    /** Versions that are tried for one question: a compaction takes longer than to load one. */
    private static final int MOST_VERSIONS = 4;

    private final Clock clock;
    private final OpenGroups openGroups;
    private final Lookup namenode;
    private final PatchLoader loader;
    private final long length;
    private volatile View view;

    /** One version. */
    private record View(ExtentLocations base, Locations all) {}

    private FileLocations(Clock clock, OpenGroups openGroups, Lookup namenode, PatchLoader loader, View first) {
        this.clock = clock;
        this.openGroups = openGroups;
        this.namenode = namenode;
        this.loader = loader;
        this.view = first;
        this.length = first.all().length();
    }

    /** Makes those of a file whose first page was just located. */
    public static CompletableFuture<FileLocations> of(
            FilePath path,
            NamespaceReply.Located first,
            Clock clock,
            OpenGroups openGroups,
            Lookup namenode,
            PatchLoader loader) {
        return view(path, first, clock, openGroups, namenode, loader, MOST_VERSIONS)
                .thenApply(view -> new FileLocations(clock, openGroups, namenode, loader, view));
    }

    /** The newest version, which may be a later one than that of the given answer. */
    private static CompletableFuture<View> view(
            FilePath path,
            NamespaceReply.Located located,
            Clock clock,
            OpenGroups openGroups,
            Lookup namenode,
            PatchLoader loader,
            int versions) {
        return ExtentLocations.of(path, located, clock, openGroups, namenode)
                .thenCompose(base -> located.patches().isEmpty()
                        ? CompletableFuture.completedFuture(new View(base, base))
                        : loader.load(located, base)
                                .thenApply(patched -> new View(base, patched))
                                .exceptionallyCompose(failure -> base.locateAnew(0)
                                        .thenCompose(now -> versions > 1 && differs(now, located, failure)
                                                ? view(path, now, clock, openGroups, namenode, loader, versions - 1)
                                                : CompletableFuture.failedFuture(failure))));
    }

    /**
     * Returns whether loading again may find other patches: there are others by now, or their updater died, and what it
     * had not acknowledged was given up under the load.
     */
    private static boolean differs(NamespaceReply.Located now, NamespaceReply.Located before, Throwable failure) {
        return !sameVersion(now, before) || EcfsException.of(failure).code() == ErrorCode.FILE_CHANGED;
    }

    private static boolean sameVersion(NamespaceReply.Located one, NamespaceReply.Located other) {
        return one.patches()
                .map(NamespaceReply.Patches::version)
                .equals(other.patches().map(NamespaceReply.Patches::version));
    }

    @Override
    public long length() {
        return length;
    }

    @Override
    public CompletableFuture<Segment> at(long position) {
        return ask(position, MOST_VERSIONS, locations -> locations.at(position));
    }

    @Override
    public CompletableFuture<Segment> refreshed(long position) {
        return ask(position, MOST_VERSIONS, locations -> locations.refreshed(position));
    }

    @Override
    public CompletableFuture<LocatedGroup> places(long position, LocatedGroup known, ChunkLocation missing) {
        return view.all().places(position, known, missing);
    }

    private <T> CompletableFuture<T> ask(
            long position, int versions, Function<Locations, CompletableFuture<T>> question) {
        View asked = view;
        CompletableFuture<T> answer = question.apply(asked.all());
        if (answer.isDone() && !answer.isCompletedExceptionally()) {
            return answer;
        }
        return answer.exceptionallyCompose(failure ->
                versions > 1 && asked.base().outdated()
                        ? next(asked, position).thenCompose(done -> ask(position, versions - 1, question))
                        : CompletableFuture.failedFuture(failure));
    }

    /** Several reads that meet a new version load it each; the last stays. */
    private CompletableFuture<Void> next(View before, long position) {
        if (!view.equals(before)) {
            return CompletableFuture.completedFuture(null);
        }
        return before.base()
                .locateAnew(position)
                .thenCompose(located ->
                        view(located.status().path(), located, clock, openGroups, namenode, loader, MOST_VERSIONS))
                .thenAccept(loaded -> view = loaded);
    }
}
