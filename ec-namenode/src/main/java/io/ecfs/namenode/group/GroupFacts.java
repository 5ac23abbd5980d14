package io.ecfs.namenode.group;

import com.fasterxml.jackson.annotation.JsonIgnore;
import io.ecfs.layout.ChunkId;
import io.ecfs.layout.GroupId;
import io.ecfs.layout.GroupLayout;
import io.ecfs.layout.InodeId;
import io.ecfs.layout.Policy;
import io.ecfs.message.VolumeId;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * What the log says of a group.
 *
 * @param file to which it belongs
 * @param length user bytes when sealed; {@value #OPEN_LENGTH} while a writer fills it
 * @param places by chunk index, exactly n
 * @param stamp random, drawn by the leader that had the group allocated: its chunks carry it; 0: of the release before stamps
 */
public record GroupFacts(GroupId group, InodeId file, Policy policy, long length, List<Place> places, int stamp) {
    public static final long OPEN_LENGTH = -1;

    /**
     * Where the chunk of one index lies.
     *
     * @param volume empty: no chunk of this index counts at present; one of this generation may come back and be adopted
     * @param generation of the chunk that is there, or that may come back: above that of every one that was called garbage
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
        Objects.requireNonNull(file, "file");
        Objects.requireNonNull(policy, "policy");
        places = List.copyOf(places);
        if (places.size() != policy.chunks()) {
            throw new IllegalArgumentException(
                    group + " under " + policy + " must have " + policy.chunks() + " places, got " + places.size());
        }
        if (length < OPEN_LENGTH || length > policy.groupBytes()) {
            throw new IllegalArgumentException("length of " + group + " is impossible under " + policy + ": " + length);
        }
    }

    /** The same group with other places. */
    public GroupFacts with(List<Place> newPlaces) {
        return new GroupFacts(group, file, policy, length, newPlaces, stamp);
    }

    /** The same group, sealed at a length with these places. */
    public GroupFacts sealed(long newLength, List<Place> newPlaces) {
        return new GroupFacts(group, file, policy, newLength, newPlaces, stamp);
    }

    /** The same group as part of another file. */
    public GroupFacts of(InodeId newFile) {
        return new GroupFacts(group, newFile, policy, length, places, stamp);
    }

    @JsonIgnore
    public boolean open() {
        return length == OPEN_LENGTH;
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
    public Optional<StoredChunk> stored(int index) {
        return places.get(index).volume().map(volume -> new StoredChunk(volume, chunk(index)));
    }

    /** The chunks that are placed, in index order. */
    @JsonIgnore
    public List<StoredChunk> stored() {
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
