package io.ecfs.torture.load;

import io.ecfs.client.EcfsClient;
import io.ecfs.client.read.stream.FileReader;
import io.ecfs.error.EcfsException;
import io.ecfs.layout.Extent;
import io.ecfs.layout.GroupId;
import io.ecfs.message.FilePath;
import io.ecfs.message.namespace.LocatedGroup;
import io.ecfs.message.namespace.NamespaceReply;
import io.ecfs.torture.history.Answer;
import io.ecfs.wire.Await;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * The readable part of a file that cannot be read whole. Each cell is read by itself, and of one that fails the longest
 * readable prefix: a cell has the bytes of one writer, whose first bytes were on disk first.
 */
final class ReadInParts {
    private final Part whole;
    private final List<Answer.Hole> holes = new ArrayList<>();
    private final byte[] bytes;

    /** Reads a part of a file into memory. */
    interface Part {
        void read(long from, ByteBuffer into) throws IOException;
    }

    /** @param cells where cells end, in order, the last at the file's end */
    ReadInParts(Part whole, List<Long> cells) throws IOException {
        this.whole = whole;
        this.bytes = new byte[cells.isEmpty() ? 0 : Math.toIntExact(cells.get(cells.size() - 1))];
        int from = 0;
        for (long end : cells) {
            int to = Math.toIntExact(end);
            int readable = readable(from, to);
            if (readable < to) {
                addHole(readable, to);
            }
            from = to;
        }
    }

    static ReadInParts of(EcfsClient client, FilePath path) throws IOException {
        FileReader file = Await.result(client.open(path));
        return new ReadInParts(file::read, cells(client, path, file.length()));
    }

    private static List<Long> cells(EcfsClient client, FilePath path, long length) throws IOException {
        List<Long> ends = new ArrayList<>();
        for (long at = 0; at < length; at = ends.get(ends.size() - 1)) {
            NamespaceReply.Located page = Await.result(client.locate(path, at, length - at));
            if (page.extents().isEmpty()) { // a hole up to the end
                ends.add(length);
                break;
            }
            Map<GroupId, Integer> cells = page.groups().stream()
                    .collect(Collectors.toMap(
                            LocatedGroup::group, group -> group.policy().cellBytes(), (one, same) -> one));
            for (Extent extent : page.extents()) {
                int cell = cells.get(extent.group());
                long first = cell - extent.groupOffset() % cell;
                for (long end = first; end < extent.length(); end += cell) {
                    ends.add(extent.fileOffset() + end);
                }
                ends.add(extent.fileEnd());
            }
        }
        return ends;
    }

    /** @return the end of the longest part from {@code from} on that can be read */
    private int readable(int from, int to) throws IOException {
        if (canRead(from, to)) {
            return to;
        }
        if (!canRead(from, from + 1)) {
            return from;
        }
        int can = from + 1;
        int cannot = to;
        while (cannot - can > 1) {
            int middle = (can + cannot) >>> 1;
            if (canRead(can, middle)) {
                can = middle;
            } else {
                cannot = middle;
            }
        }
        return can;
    }

    private boolean canRead(int from, int to) throws IOException {
        ByteBuffer part = ByteBuffer.wrap(bytes, from, to - from);
        try {
            whole.read(from, part);
            return !part.hasRemaining();
        } catch (EcfsException e) {
            return false;
        }
    }

    private void addHole(long from, long to) {
        int last = holes.size() - 1;
        boolean next = last >= 0 && holes.get(last).to() == from;
        long begin = next ? holes.remove(last).from() : from;
        holes.add(new Answer.Hole(begin, to));
    }

    /** @param reason why the file could not be read whole */
    Answer lost(String reason) {
        int end = holes.isEmpty() ? bytes.length : Math.toIntExact(holes.get(0).from());
        byte[] first = Arrays.copyOf(bytes, end);
        return TaggedBytes.runs(first)
                .<Answer>map(runs -> new Answer.Lost(bytes.length, runs, holes, reason))
                .orElseGet(() -> new Answer.Wrong(TaggedBytes.describe(first)));
    }
}
