package io.ecfs.namenode.group;

import io.ecfs.layout.ChunkId;
import io.ecfs.layout.GroupId;
import io.ecfs.layout.GroupLayout;
import io.ecfs.layout.InodeId;
import io.ecfs.layout.Policy;
import io.ecfs.layout.RingId;
import io.ecfs.message.VolumeId;
import io.ecfs.message.chunk.ChunkRecord;
import io.ecfs.tail.RecoverableLength;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * Facts of a group.
 *
 * @param owner of its bytes
 * @param length user bytes when sealed; {@value #OPEN_LENGTH} while a writer fills it
 * @param places by chunk index, exactly n
 * @param stamp random, drawn by the leader that had the group allocated: its chunks carry it; 0: of the release before
 *     stamps
 * @param ring on whose volumes alone its chunks may lie; empty, or one that is gone: on any volume that is in no ring
 * @param liveBytes user bytes of it to which extents or patches refer; empty: not counted
 * @param reach end of the furthest bytes of it to which an extent ever referred, of a pack: those beyond the length
 *     that recovery found are lost; empty: not counted
 */
public record GroupFacts(
        GroupId group,
        GroupOwner owner,
        Policy policy,
        long length,
        List<Place> places,
        int stamp,
        Optional<RingId> ring,
        Optional<Long> liveBytes,
        Optional<Long> reach) {
    public static final long OPEN_LENGTH = -1;

    /**
     * Place of the chunk of one index.
     * @param volume empty: no chunk of this index counts at present; one of this generation may come back and be
     *     adopted
     * @param generation of the chunk that is there, or that may come back: above that of every one that was called
     *     garbage
     */
    public record Place(Optional<VolumeId> volume, int generation) {
        public Place {
            Objects.requireNonNull(volume, "volume");
            if (generation < 0) {
                throw new IllegalArgumentException("generation must not be negative: " + generation);
            }
        }
    }

    public GroupFacts {
        Objects.requireNonNull(group, "group");
        Objects.requireNonNull(owner, "owner");
        Objects.requireNonNull(policy, "policy");
        Objects.requireNonNull(ring, "ring");
        Objects.requireNonNull(liveBytes, "liveBytes");
        Objects.requireNonNull(reach, "reach");
        places = List.copyOf(places);
        if (places.size() != policy.chunks()) {
            throw new IllegalArgumentException(
                    group + " under " + policy + " must have " + policy.chunks() + " places, got " + places.size());
        }
        if (length < OPEN_LENGTH || length > policy.groupBytes()) {
            throw new IllegalArgumentException("length of " + group + " is impossible under " + policy + ": " + length);
        }
        if (liveBytes.filter(live -> live < 0 || live > policy.groupBytes()).isPresent()) {
            throw new IllegalArgumentException(
                    "live bytes of " + group + " are impossible under " + policy + ": " + liveBytes.get());
        }
    }

    /** Its reach not counted. */
    public GroupFacts(
            GroupId group,
            GroupOwner owner,
            Policy policy,
            long length,
            List<Place> places,
            int stamp,
            Optional<RingId> ring,
            Optional<Long> liveBytes) {
        this(group, owner, policy, length, places, stamp, ring, liveBytes, Optional.empty());
    }

    /** Of one file, in no ring, its live bytes not counted. */
    public GroupFacts(GroupId group, InodeId file, Policy policy, long length, List<Place> places, int stamp) {
        this(group, new GroupOwner.File(file), policy, length, places, stamp, Optional.empty(), Optional.empty());
    }

    /**
     * True when the record is of a chunk with all its bytes of this sealed group. A writer may have finished a chunk
     * longer than its group was recovered to: what the group has of it are then full stripes, which are the same bytes
     * in both, and the rest is never read. One of another stamp is no chunk of the group at all. Where the group ends
     * in a tail, that lies elsewhere in a longer one, which is not to be trusted. False for every chunk while the group
     * is open: there are no bytes yet that all of them have.
     */
    public boolean isWhole(ChunkRecord record) {
        return !open() && record.stamp() == stamp && RecoverableLength.holds(new GroupLayout(policy, length), record);
    }

    /** The same group with other places. */
    public GroupFacts with(List<Place> newPlaces) {
        return new GroupFacts(group, owner, policy, length, newPlaces, stamp, ring, liveBytes, reach);
    }

    /** The same group, sealed at a length with these places. */
    public GroupFacts sealed(long newLength, List<Place> newPlaces) {
        return new GroupFacts(group, owner, policy, newLength, newPlaces, stamp, ring, liveBytes, reach);
    }

    /** The same group, with so many bytes that files refer to. */
    public GroupFacts live(long bytes) {
        return new GroupFacts(group, owner, policy, length, places, stamp, ring, Optional.of(bytes), reach);
    }

    /** The same group, with an extent that ends there. */
    GroupFacts reaching(long end) {
        Optional<Long> furthest = Optional.of(Math.max(end, reach.orElse(0L)));
        return new GroupFacts(group, owner, policy, length, places, stamp, ring, liveBytes, furthest);
    }

    /** The same group in no ring. */
    GroupFacts outsideRings() {
        return new GroupFacts(group, owner, policy, length, places, stamp, Optional.empty(), liveBytes, reach);
    }

    /** The same group with extents of a file, its live bytes not counted. */
    public GroupFacts of(InodeId newFile) {
        return new GroupFacts(
                group, new GroupOwner.File(newFile), policy, length, places, stamp, ring, Optional.empty(), reach);
    }

    public boolean open() {
        return length == OPEN_LENGTH;
    }

    /** Returns whether extents may refer to bytes beyond its end, which recovery did not find. */
    public boolean cutShort() {
        return !open() && reach.orElse(0L) > length;
    }

    /** The name of the chunk of an index, whether it is there or not. */
    public ChunkId chunk(int index) {
        return new ChunkId(group, index, places.get(index).generation());
    }

    /** The volume of exactly this chunk; empty when the facts do not place it. */
    public Optional<VolumeId> volumeOf(ChunkId chunk) {
        return chunk.index() < places.size() && chunk(chunk.index()).equals(chunk)
                ? places.get(chunk.index()).volume()
                : Optional.empty();
    }

    /** The chunk that is placed for an index. */
    public Optional<ChunkOnVolume> stored(int index) {
        return places.get(index).volume().map(volume -> new ChunkOnVolume(volume, chunk(index)));
    }

    /** The chunks that are placed, in index order. */
    public List<ChunkOnVolume> stored() {
        return IntStream.range(0, places.size())
                .boxed()
                .flatMap(index -> stored(index).stream())
                .toList();
    }

    /** Stored bytes of the chunk of an index, of a sealed group. */
    public long chunkBytes(int index) {
        return new GroupLayout(policy, length).chunkBytes(index);
    }
}
