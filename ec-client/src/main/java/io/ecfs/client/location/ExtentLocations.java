package io.ecfs.client.location;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.ecfs.env.Clock;
import io.ecfs.error.EcfsException;
import io.ecfs.error.ErrorCode;
import io.ecfs.layout.Extent;
import io.ecfs.layout.GroupId;
import io.ecfs.layout.InodeId;
import io.ecfs.message.FilePath;
import io.ecfs.message.chunk.ChunkLocation;
import io.ecfs.message.namespace.LocatedGroup;
import io.ecfs.message.namespace.NamespaceReply;
import io.ecfs.message.namespace.NamespaceRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * The locations of the bytes in one file's extents, as far as they were requested and are fresh. Safe for use by
 * several threads.
 */
public final class ExtentLocations implements Locations {
    /** More than an open group has. */
    private static final long BEYOND = 1L << 50;

    /** Segments, unless one answer has more. */
    private static final int REMEMBERED = 1024;

    private final InodeId inode;
    private final long length;
    private final Clock clock;
    private final OpenGroups openGroups;
    private final Lookup namenode;
    private volatile FilePath path; // where it was last

    @GuardedBy("this")
    private final NavigableMap<Long, Segment> segments = new TreeMap<>();

    /** Groups that were being written when last located; their writer may have put their bytes into others. */
    @GuardedBy("this")
    private final Set<GroupId> unsealed = new TreeSet<>();

    private final MovedChunks moved;

    /** Of the layout of a file with patches: extents and patches belong together. */
    private final Optional<Long> version;

    private final boolean held;

    private volatile boolean outdated;

    /**
     * @param open segments in groups that are not sealed
     * @param held whether nobody else can change the file
     */
    private ExtentLocations(
            FilePath path,
            NamespaceReply.Located first,
            List<Segment> open,
            boolean held,
            Clock clock,
            OpenGroups openGroups,
            Lookup namenode) {
        this.path = path;
        this.inode = first.status().inode();
        this.length = open.stream()
                .mapToLong(segment -> segment.extent().fileEnd())
                .reduce(first.status().length(), Math::max);
        this.clock = clock;
        this.openGroups = openGroups;
        this.namenode = namenode;
        this.moved = new MovedChunks(clock);
        this.version = version(first);
        this.held = held;
        remember(first, segments(first, open));
    }

    /** @param open segments in groups that are not sealed */
    ExtentLocations(
            FilePath path,
            NamespaceReply.Located first,
            List<Segment> open,
            Clock clock,
            OpenGroups openGroups,
            Lookup namenode) {
        this(path, first, open, false, clock, openGroups, namenode);
    }

    /** Those of a file that the caller has open for update, without its patches. */
    public static ExtentLocations held(
            NamespaceReply.Located first, Clock clock, OpenGroups openGroups, Lookup namenode) {
        return new ExtentLocations(first.status().path(), first, List.of(), true, clock, openGroups, namenode);
    }

    /**
     * Makes those of a file whose first page was just located; the datanodes are asked for bytes beyond its sealed
     * groups.
     */
    public static CompletableFuture<ExtentLocations> of(
            FilePath path, NamespaceReply.Located first, Clock clock, OpenGroups openGroups, Lookup namenode) {
        boolean endIsMissing = first.status().open()
                && first.patches().isEmpty()
                && first.groups().stream().noneMatch(behindEnd(first));
        if (!endIsMissing) {
            return openSegments(openGroups, first)
                    .thenApply(open -> new ExtentLocations(path, first, open, clock, openGroups, namenode));
        }
        // It has no open group, or so many sealed ones that the answer did not come to it.
        return namenode.locate(new NamespaceRequest.Locate(path, first.status().length(), BEYOND))
                .thenCompose(end -> openSegments(openGroups, end))
                .thenApply(open -> new ExtentLocations(path, first, open, clock, openGroups, namenode));
    }

    /** Segments in groups that are not sealed: the group that the file's writer fills, and those of open packs. */
    private static CompletableFuture<List<Segment>> openSegments(
            OpenGroups openGroups, NamespaceReply.Located located) {
        List<CompletableFuture<List<Segment>>> found = new ArrayList<>();
        Map<GroupId, LocatedGroup> groups = byId(located);
        for (Extent extent : located.extents()) {
            LocatedGroup group = groups.get(extent.group());
            if (group != null && group.open()) {
                found.add(openGroups.packed(group, extent));
            }
        }
        located.groups().stream()
                .filter(behindEnd(located))
                .findFirst()
                .ifPresent(group ->
                        found.add(openGroups.segments(group, located.status().length())));
        return CompletableFuture.allOf(found.toArray(CompletableFuture[]::new))
                .thenApply(done -> found.stream()
                        .flatMap(segments -> segments.join().stream())
                        .toList());
    }

    /** The open group whose bytes come behind those of the file's extents: that of its writer. */
    private static Predicate<LocatedGroup> behindEnd(NamespaceReply.Located located) {
        Set<GroupId> ofExtents = located.extents().stream().map(Extent::group).collect(Collectors.toSet());
        return group -> group.open() && !ofExtents.contains(group.group());
    }

    private static Map<GroupId, LocatedGroup> byId(NamespaceReply.Located located) {
        return located.groups().stream().collect(Collectors.toMap(LocatedGroup::group, g -> g, (a, b) -> a));
    }

    @Override
    public long length() {
        return length;
    }

    @Override
    public CompletableFuture<Segment> at(long position) {
        Optional<Segment> known = known(position);
        return known.isPresent() ? CompletableFuture.completedFuture(known.get()) : ask(position);
    }

    @Override
    public CompletableFuture<Segment> refreshed(long position) {
        return ask(position);
    }

    @Override
    public CompletableFuture<LocatedGroup> places(long position, LocatedGroup known, ChunkLocation missing) {
        Optional<LocatedGroup> remembered = remembered(position)
                .map(Segment::group)
                .filter(group -> group.group().equals(known.group()));
        return moved.places(missing, remembered, () -> ask(position).thenApply(Segment::group));
    }

    private CompletableFuture<Segment> ask(long position) {
        Optional<Segment> before = remembered(position);
        return locate(position).thenCompose(located -> {
            return openSegments(openGroups, located)
                    .thenCompose(open -> found(position, before, located, segments(located, open)));
        });
    }

    /**
     * Locates this file from a position on, also when it was renamed since; fails when it is gone, another file has its
     * name, or it was changed so that the bytes there are others.
     */
    CompletableFuture<NamespaceReply.Located> locate(long position) {
        return locateAnew(position).thenCompose(located -> {
            long end = located.status().length();
            if (!held && !version(located).equals(version)) {
                outdated = true;
                return CompletableFuture.failedFuture(new EcfsException(
                        ErrorCode.FILE_CHANGED,
                        path + " (" + inode + ") was opened for update or compacted while it was being read"));
            }
            // The length of a file with patches is in them.
            if (version.isEmpty() && !located.status().open() && end <= position) {
                return CompletableFuture.failedFuture(new EcfsException(
                        ErrorCode.FILE_CHANGED,
                        path + " (" + inode + ") was cut to " + end + " bytes while it was being read: byte " + position
                                + " of the " + length + " that it had is gone"));
            }
            return CompletableFuture.completedFuture(located);
        });
    }

    private static Optional<Long> version(NamespaceReply.Located located) {
        return located.patches().map(NamespaceReply.Patches::version);
    }

    /** Returns whether an answer was of another version of the file's layout: there are other locations by now. */
    boolean outdated() {
        return outdated;
    }

    /** There are other locations by now. */
    void changed() {
        outdated = true;
    }

    /** The readable segments of an open patch group, as its datanodes have it now. */
    CompletableFuture<List<Segment>> probe(LocatedGroup group) {
        return openGroups.segments(group, 0);
    }

    /** Locates this file as {@link #locate}, whatever has become of it; fails when it is gone. */
    CompletableFuture<NamespaceReply.Located> locateAnew(long position) {
        FilePath asked = path;
        return locatedAt(asked, position)
                .exceptionallyCompose(failure -> EcfsException.of(failure).code() == ErrorCode.NOT_FOUND
                        ? locatedElsewhere(asked, position, failure)
                        : CompletableFuture.failedFuture(failure));
    }

    private CompletableFuture<NamespaceReply.Located> locatedAt(FilePath place, long position) {
        return namenode.locate(new NamespaceRequest.Locate(place, position, Math.max(0, length - position)))
                .thenApply(located -> {
                    if (!located.status().inode().equals(inode)) {
                        throw new CompletionException(new EcfsException(
                                ErrorCode.NOT_FOUND, place + " was replaced by another file while it was being read"));
                    }
                    path = place;
                    return located;
                });
    }

    private CompletableFuture<NamespaceReply.Located> locatedElsewhere(
            FilePath asked, long position, Throwable notThere) {
        return namenode.status(inode)
                .exceptionallyCompose(failure -> CompletableFuture.failedFuture(
                        EcfsException.of(failure).code() == ErrorCode.NOT_FOUND ? notThere : failure))
                .thenCompose(status -> status.path().equals(asked)
                        ? CompletableFuture.failedFuture(notThere)
                        : locatedAt(status.path(), position));
    }

    private CompletableFuture<Segment> found(
            long position,
            Optional<Segment> before,
            NamespaceReply.Located located,
            NavigableMap<Long, Segment> fresh) {
        // Not from what is remembered, which others fill and empty too; and whatever the life of its token.
        Optional<Segment> found = holding(position, fresh).or(() -> hole(position, located));
        if (found.isEmpty()) {
            return CompletableFuture.failedFuture(noGroup(position, located));
        }
        if (before.filter(b -> !mayMove(b) && !sameBytes(b, found.get(), position))
                .isPresent()) {
            return CompletableFuture.failedFuture(new EcfsException(
                    ErrorCode.FILE_CHANGED,
                    path + " (" + inode + ") was cut and written anew while it was being read: byte " + position
                            + " was in group " + before.get().group().group() + " and is in group "
                            + found.get().group().group() + " now"));
        }
        remember(located, fresh);
        return CompletableFuture.completedFuture(found.get());
    }

    /** The zeros at a position, from which on the answer was asked for, to the next extent or the end of the file. */
    private static Optional<Segment> hole(long position, NamespaceReply.Located located) {
        boolean written = located.extents().stream().anyMatch(extent -> holds(extent, position));
        long end = located.extents().stream()
                .mapToLong(Extent::fileOffset)
                .filter(begin -> begin > position)
                .min()
                .orElse(located.status().length());
        return written || end <= position
                ? Optional.empty()
                : Optional.of(Segment.hole(position, end, located.status().policy()));
    }

    private static boolean holds(Extent extent, long position) {
        return extent.fileOffset() <= position && position < extent.fileEnd();
    }

    private EcfsException noGroup(long position, NamespaceReply.Located located) {
        String of = "byte " + position + " of " + path + " (" + inode + "), which was " + length + " bytes long";
        boolean lost = located.extents().stream().anyMatch(extent -> holds(extent, position));
        return lost
                ? new EcfsException(
                        ErrorCode.GROUP_UNREADABLE,
                        of + ", is lost: it was not on disk yet when power failed, and its group ends before it")
                : new EcfsException(ErrorCode.INTERNAL, "the namenode gave no usable group for " + of);
    }

    /** A writer that gives a group up writes its bytes anew in another one, until the group is sealed. */
    private synchronized boolean mayMove(Segment segment) {
        return unsealed.contains(segment.group().group());
    }

    /** Compares where a byte was written first: bytes of a group never change, and rewriting keeps that. */
    private static boolean sameBytes(Segment before, Segment now, long position) {
        return before.written(position).equals(now.written(position));
    }

    private synchronized Optional<Segment> remembered(long position) {
        return holding(position, segments);
    }

    private synchronized Optional<Segment> known(long position) {
        return holding(position, segments).filter(segment -> segment.tokenLasts(clock));
    }

    private static Optional<Segment> holding(long position, NavigableMap<Long, Segment> some) {
        return Optional.ofNullable(some.floorEntry(position))
                .map(Map.Entry::getValue)
                .filter(s -> s.contains(position, position + 1));
    }

    /** Remembers a reply. When there are too many, only those just requested are retained: they are read next. */
    private synchronized void remember(NamespaceReply.Located located, NavigableMap<Long, Segment> fresh) {
        for (LocatedGroup group : located.groups()) {
            if (group.open()) {
                unsealed.add(group.group());
            } else {
                unsealed.remove(group.group());
            }
        }
        if (segments.size() + fresh.size() > REMEMBERED) {
            segments.clear();
        }
        // What was known of an open group is out of date: its tail moves to full stripes, and in the end it is sealed.
        segments.values()
                .removeIf(segment ->
                        segment.source().filter(source -> !segment.hole()).isPresent());
        segments.putAll(fresh);
    }

    private static NavigableMap<Long, Segment> segments(NamespaceReply.Located located, List<Segment> open) {
        Map<GroupId, LocatedGroup> groups = byId(located);
        NavigableMap<Long, Segment> segments = new TreeMap<>();
        OptionalLong end = OptionalLong.empty();
        for (Extent extent : located.extents()) {
            if (end.isPresent() && end.getAsLong() < extent.fileOffset()) {
                Segment hole = Segment.hole(
                        end.getAsLong(), extent.fileOffset(), located.status().policy());
                segments.put(end.getAsLong(), hole);
            }
            end = OptionalLong.of(extent.fileEnd());
            LocatedGroup group = groups.get(extent.group());
            if (group != null && !group.open() && extent.groupOffset() + extent.length() <= group.length()) {
                segments.put(extent.fileOffset(), Segment.of(extent, group));
            }
        }
        open.forEach(segment -> segments.put(segment.extent().fileOffset(), segment));
        return segments;
    }
}
