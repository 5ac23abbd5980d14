package io.ecfs.client.location;

import io.ecfs.error.EcfsException;
import io.ecfs.error.ErrorCode;
import io.ecfs.layout.Extent;
import io.ecfs.layout.GroupId;
import io.ecfs.message.namespace.LocatedGroup;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;

/** A patch group as a reader found it: sealed, or open with what was acknowledged then. */
public final class GroupSegments implements PatchSource {
    private final GroupId group;
    private volatile NavigableMap<Long, Segment> segments;

    /** @param parts the group's bytes from 0 on, one part behind the other */
    public GroupSegments(GroupId group, List<Segment> parts) {
        this.group = group;
        replace(parts);
    }

    /** Takes over the parts that the open group has by now. */
    public final void replace(List<Segment> parts) {
        TreeMap<Long, Segment> byOffset = new TreeMap<>();
        parts.forEach(part ->
                byOffset.put(part.extent().groupOffset(), part.at(part.extent().groupOffset())));
        segments = byOffset;
    }

    /** Of a sealed group. */
    public static GroupSegments sealed(LocatedGroup group) {
        return new GroupSegments(group.group(), List.of(whole(group)));
    }

    private static Segment whole(LocatedGroup group) {
        return Segment.of(new Extent(0, group.length(), group.group(), 0), group);
    }

    @Override
    public GroupId group() {
        return group;
    }

    /** Bytes that are there. */
    public long length() {
        return segments.isEmpty() ? 0 : segments.lastEntry().getValue().extent().fileEnd();
    }

    @Override
    public Segment at(long groupOffset) throws EcfsException {
        Map.Entry<Long, Segment> found = segments.floorEntry(groupOffset);
        if (found == null || !found.getValue().contains(groupOffset, groupOffset + 1)) {
            throw new EcfsException(
                    ErrorCode.FILE_CHANGED,
                    "byte " + groupOffset + " of patch group " + group + " is gone: it has " + length()
                            + " bytes, what its writer had not acknowledged was given up; read again");
        }
        return found.getValue();
    }

    /** Tail records of an open group have a reader with a token of its own, which stays. */
    @Override
    public void locate(LocatedGroup now) {
        if (!now.open()) {
            segments = new TreeMap<>(Map.of(0L, whole(now)));
        }
    }
}
