package io.ecfs.client.read;

import io.ecfs.env.Clock;
import io.ecfs.error.EcfsException;
import io.ecfs.error.ErrorCode;
import io.ecfs.layout.Extent;
import io.ecfs.layout.GroupId;
import io.ecfs.layout.InodeId;
import io.ecfs.message.FilePath;
import io.ecfs.message.LocatedGroup;
import io.ecfs.message.NamespaceReply;
import io.ecfs.message.NamespaceRequest;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.stream.Collectors;

/** Where the bytes of one file lie, as far as it was asked for and is fresh. Safe for use by several threads. */
final class Locations {
    /** Segments, unless one answer has more. */
    /** More than an open group has. */
    private static final long BEYOND = 1L << 50;

    private static final int REMEMBERED = 1024;

    /** A token is asked for anew this long before it expires. */
    private static final long TOKEN_MARGIN_MILLIS = 60_000;

    private final FilePath path;
    private final InodeId inode;
    private final long length;
    private final Clock clock;
    private final OpenGroups openGroups;
    private final Function<NamespaceRequest.Locate, CompletableFuture<NamespaceReply.Located>> namenode;
    private final NavigableMap<Long, Segment> segments = new TreeMap<>(); // guarded by this

    /** What a group that is being written has for readers, and where in the file it begins. */
    interface OpenGroups {
        CompletableFuture<List<Segment>> look(LocatedGroup group, long fileOffset);
    }

    /** @param open segments behind the sealed groups */
    Locations(
            FilePath path,
            NamespaceReply.Located first,
            List<Segment> open,
            Clock clock,
            OpenGroups openGroups,
            Function<NamespaceRequest.Locate, CompletableFuture<NamespaceReply.Located>> namenode) {
        this.path = path;
        this.inode = first.status().inode();
        this.length = open.isEmpty()
                ? first.status().length()
                : open.get(open.size() - 1).extent().fileEnd();
        this.clock = clock;
        this.openGroups = openGroups;
        this.namenode = namenode;
        remember(segments(first, open));
    }

    /** Those of a file that was just looked up; the datanodes are asked for what it has beyond its sealed groups. */
    static CompletableFuture<Locations> of(
            FilePath path,
            NamespaceReply.Located first,
            ReadServices services,
            Function<NamespaceRequest.Locate, CompletableFuture<NamespaceReply.Located>> namenode) {
        OpenGroups groups = (group, offset) -> OpenGroup.look(services, group, offset);
        boolean endIsMissing = first.status().open() && first.groups().stream().noneMatch(LocatedGroup::open);
        if (!endIsMissing) {
            return openSegments(groups, first)
                    .thenApply(open -> new Locations(path, first, open, services.clock(), groups, namenode));
        }
        // It has no open group, or so many sealed ones that the answer did not come to it.
        return namenode.apply(new NamespaceRequest.Locate(path, first.status().length(), BEYOND))
                .thenCompose(end -> openSegments(groups, end))
                .thenApply(open -> new Locations(path, first, open, services.clock(), groups, namenode));
    }

    private static CompletableFuture<List<Segment>> openSegments(
            OpenGroups openGroups, NamespaceReply.Located located) {
        return located.groups().stream()
                .filter(LocatedGroup::open)
                .findFirst()
                .map(group -> openGroups.look(group, located.status().length()))
                .orElseGet(() -> CompletableFuture.completedFuture(List.of()));
    }

    /** Bytes that were there when the file was opened. */
    long length() {
        return length;
    }

    /** The segment that holds a position below the file's length, asked for when it is not known or its token is about to expire. */
    CompletableFuture<Segment> at(long position) {
        Optional<Segment> known = known(position);
        return known.isPresent() ? CompletableFuture.completedFuture(known.get()) : ask(position);
    }

    /** As {@link #at}, but asks in any case: what was known did not work. */
    CompletableFuture<Segment> refreshed(long position) {
        return ask(position);
    }

    private CompletableFuture<Segment> ask(long position) {
        return namenode.apply(new NamespaceRequest.Locate(path, position, length - position))
                .thenCompose(located -> {
                    if (!located.status().inode().equals(inode)) {
                        return CompletableFuture.failedFuture(new EcfsException(
                                ErrorCode.NOT_FOUND, path + " was replaced by another file while it was being read"));
                    }
                    return openSegments(openGroups, located).thenApply(open -> segments(located, open));
                })
                .thenCompose(fresh -> {
                    remember(fresh);
                    // Not from what is remembered, which others fill and empty too; and whatever the life of its token.
                    return holding(position, fresh)
                            .map(CompletableFuture::completedFuture)
                            .orElseGet(() -> CompletableFuture.failedFuture(new EcfsException(
                                    ErrorCode.INTERNAL,
                                    "the namenode gave no usable group for byte " + position + " of " + path + " ("
                                            + inode + "), which was " + length + " bytes long")));
                });
    }

    private synchronized Optional<Segment> known(long position) {
        return holding(position, segments)
                .filter(s -> s.group().token().expiresAtMillis() - TOKEN_MARGIN_MILLIS > clock.epochMillis()
                        || s.group().token().expiresAtMillis() <= 0);
    }

    private static Optional<Segment> holding(long position, NavigableMap<Long, Segment> some) {
        return Optional.ofNullable(some.floorEntry(position))
                .map(Map.Entry::getValue)
                .filter(s -> s.contains(position, position + 1));
    }

    /** When it gets too much, what was just asked for is all that is kept: it is read next. */
    private synchronized void remember(NavigableMap<Long, Segment> fresh) {
        if (segments.size() + fresh.size() > REMEMBERED) {
            segments.clear();
        }
        // What was known of an open group is out of date: its tail moves to full stripes, and in the end it is sealed.
        segments.values().removeIf(segment -> segment.tail().isPresent());
        segments.putAll(fresh);
    }

    private static NavigableMap<Long, Segment> segments(NamespaceReply.Located located, List<Segment> open) {
        Map<GroupId, LocatedGroup> groups =
                located.groups().stream().collect(Collectors.toMap(LocatedGroup::group, g -> g, (a, b) -> a));
        NavigableMap<Long, Segment> segments = new TreeMap<>();
        for (Extent extent : located.extents()) {
            LocatedGroup group = groups.get(extent.group());
            if (group != null && !group.open()) {
                segments.put(extent.fileOffset(), Segment.of(extent, group));
            }
        }
        open.forEach(segment -> segments.put(segment.extent().fileOffset(), segment));
        return segments;
    }
}
