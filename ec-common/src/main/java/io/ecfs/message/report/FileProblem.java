package io.ecfs.message.report;

import io.ecfs.layout.GroupId;
import io.ecfs.message.FilePath;
import java.util.List;
import java.util.Objects;

/**
 * A group of a file that is not whole.
 *
 * @param alive chunks that a reader can have now
 * @param needed to read it: k of an MDS code
 * @param lost true: what is alive does not determine the bytes
 * @param lacking each chunk that is not there
 * @param doing what is being done about it, for people
 */
public record FileProblem(
        FilePath path, GroupId group, int alive, int needed, boolean lost, List<LackingChunk> lacking, String doing) {

    /**
     * @param place where the facts have it; empty for an index without a chunk
     * @param why dead datanode, failed volume, corrupt, missing …
     */
    public record LackingChunk(int index, String place, String why) {
        public LackingChunk {
            Objects.requireNonNull(place, "place");
            Objects.requireNonNull(why, "why");
        }
    }

    public FileProblem {
        Objects.requireNonNull(path, "path");
        Objects.requireNonNull(group, "group");
        lacking = List.copyOf(lacking);
        Objects.requireNonNull(doing, "doing");
    }
}
