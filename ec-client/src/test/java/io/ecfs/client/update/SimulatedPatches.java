package io.ecfs.client.update;

import io.ecfs.client.location.PatchSource;
import io.ecfs.client.location.PatchedBytes;
import io.ecfs.client.location.Segment;
import io.ecfs.client.location.Stretch;
import io.ecfs.layout.Extent;
import io.ecfs.layout.GroupId;
import io.ecfs.layout.Policy;
import io.ecfs.message.namespace.LocatedGroup;
import io.ecfs.message.namespace.PatchGroup;
import io.ecfs.patch.PatchBatch;
import io.ecfs.patch.Write;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/** The layout of an updated file as batches change it, without their bytes and without a cluster. */
final class SimulatedPatches {
    final PatchedBytes bytes;
    final UpdatedLayout layout;
    private final Policy policy;
    private final List<PatchGroup> sealed = new ArrayList<>();
    private Optional<GroupId> open = Optional.empty();
    private long groups;
    private long offset;
    private long shortest;

    private record Source(GroupId group) implements PatchSource {
        @Override
        public void locate(LocatedGroup now) {
            throw new AssertionError("nobody reads");
        }

        @Override
        public boolean filling() {
            return true;
        }

        @Override
        public Segment at(long groupOffset) {
            throw new AssertionError("nobody reads");
        }
    }

    /** @param extents of the file, in file order */
    SimulatedPatches(Policy policy, List<Extent> extents) {
        this.policy = policy;
        long length = extents.isEmpty() ? 0 : extents.get(extents.size() - 1).fileEnd();
        this.bytes = new PatchedBytes(policy, length);
        this.layout = new UpdatedLayout(bytes, extents, List.of());
        this.groups = 1000;
    }

    long offset() {
        return offset;
    }

    /** Sealed patch groups of the file, the oldest first. */
    List<PatchGroup> sealed() {
        return sealed;
    }

    /** Of the open group, or of the last one. */
    GroupId group() {
        return new GroupId(groups);
    }

    /** A batch that ends with a stripe if that wastes little. */
    void write(List<Write> writes) {
        long length = writes.stream().mapToLong(Write::end).reduce(bytes.length(), Math::max);
        write(writes, length);
    }

    void cut(long length) {
        write(List.of(), length);
    }

    private void write(List<Write> writes, long length) {
        if (open.isEmpty()) {
            open = Optional.of(new GroupId(++groups));
            bytes.add(new Source(open.get()));
            shortest = bytes.length();
        }
        PatchBatch batch = PatchBatch.plan(offset, bytes.lastBatch() + 1, length, writes);
        OptionalLong end = writes.isEmpty() ? OptionalLong.empty() : BatchEnd.padded(policy, offset, writes);
        bytes.apply(end.isPresent() ? batch.padTo(end.getAsLong()) : batch);
        shortest = Math.min(shortest, length);
        offset = end.orElse(batch.end());
    }

    /** Ends the open group with its index, and replaces the layout. */
    void seal() {
        long end = offset + bytes.index(shortest).encode().remaining();
        sealed.add(new PatchGroup(open.orElseThrow(), Optional.empty(), end, end));
        List<Extent> extents = layout.neededExtents();
        List<PatchGroup> retained = layout.retained(sealed, Map.of(open.get(), offset));
        sealed.clear();
        sealed.addAll(retained);
        layout.replace(extents, retained);
        open = Optional.empty();
        offset = 0;
    }

    static List<Write> writes(List<Stretch> stretches) {
        return stretches.stream()
                .map(stretch -> new Write(stretch.from(), (int) stretch.bytes()))
                .toList();
    }
}
