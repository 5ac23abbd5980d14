package io.ecfs.client.write.route;

/**
 * The states of a {@link ChunkLane} and their edges; any other edge is a bug.
 *
 * <pre>
 *   RELAYED    cells go to the chunk through the master            --&gt; UNCERTAIN (the master failed)
 *   UNCERTAIN  which cells the chunk has is not known              --&gt; PROBING (no call for them is under way)
 *   PROBING    its datanode is asked                               --&gt; DIRECT (answered)
 *   DIRECT     cells go to the chunk's own datanode                --&gt; UNCERTAIN (refused: another came first)
 * </pre>
 */
enum LaneState {
    RELAYED,
    UNCERTAIN,
    PROBING,
    DIRECT;

    boolean mayBecome(LaneState next) {
        return switch (this) {
            case RELAYED, DIRECT -> next == UNCERTAIN;
            case UNCERTAIN -> next == PROBING;
            case PROBING -> next == DIRECT;
        };
    }
}
