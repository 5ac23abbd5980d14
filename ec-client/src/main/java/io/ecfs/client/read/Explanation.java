package io.ecfs.client.read;

import io.ecfs.client.access.ReadPlans;
import io.ecfs.layout.GroupId;
import io.ecfs.layout.Policy;
import io.ecfs.message.DatanodeId;
import io.ecfs.message.FilePath;
import io.ecfs.message.VolumeId;
import java.util.List;
import java.util.OptionalDouble;
import java.util.OptionalLong;

/**
 * The chunks that a request reads, and the costs that decided.
 *
 * @param spans in the order of the request
 * @param origin where the plan comes from; of a request that is planned in parts, of the first
 * @param planCost of what was chosen: sum of o_j a_j and m_j z_i s_ij, in nanoseconds, as all costs here
 * @param dataChunksCost of the data chunks alone, which a reader without a planner takes; empty when they are not all
 *     there
 * @param greedyCost of the greedy plan as it would be now
 * @param exactCost of the best plan; empty without a solver, or when it took too long
 * @param predictedNanos until the last site has answered, by the costs
 * @param planningNanos that choosing took
 * @param actualNanos from the plan to the last byte; empty when nothing was read
 */
public record Explanation(
        List<Part> spans,
        ReadPlans.Origin origin,
        double planCost,
        OptionalDouble dataChunksCost,
        OptionalDouble greedyCost,
        OptionalDouble exactCost,
        double predictedNanos,
        long planningNanos,
        OptionalLong actualNanos) {
    public Explanation {
        spans = List.copyOf(spans);
    }

    /**
     * A part of one group.
     *
     * @param from file bytes [from, to)
     * @param planned whether the planner had a say; a file's open tail and codes that not any k chunks decode are read
     *     as they come
     * @param decoded whether bytes were computed
     */
    public record Part(
            FilePath path,
            long from,
            long to,
            GroupId group,
            Policy policy,
            boolean planned,
            boolean decoded,
            List<Chunk> chunks) {
        public Part {
            chunks = List.copyOf(chunks);
        }
    }

    /**
     * A chunk of a part's group.
     *
     * @param bytes that were asked of it, or would be; 0 when it was not asked
     * @param accessNanos o_j of its volume
     * @param readNanos m_j z_i; 0 when it is no candidate
     * @param micros until it answered, or until what became of it did
     */
    public record Chunk(
            int index,
            DatanodeId datanode,
            VolumeId volume,
            boolean chosen,
            Fate fate,
            long bytes,
            double accessNanos,
            double readNanos,
            long micros) {}

    /** The outcome of a chunk. */
    public enum Fate {
        NOT_ASKED,
        ANSWERED,
        /** It answered after others had been asked in its place. */
        ANSWERED_LATE,
        /** The others sufficed before it answered. */
        CALLED_OFF,
        /** As {@link #CALLED_OFF}, and others had been asked in its place. */
        CALLED_OFF_LATE,
        FAILED
    }
}
