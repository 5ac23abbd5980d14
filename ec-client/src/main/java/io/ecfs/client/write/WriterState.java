package io.ecfs.client.write;

import java.util.EnumSet;
import java.util.Set;

/**
 * The states of a {@link FileWriter} and all their edges; any other edge is a bug and stops the writer.
 *
 * <pre>
 *   IDLE        the file has no open group               --&gt; ASKING (next group, complete), SYNCING
 *   ASKING      the namenode is asked                    --&gt; ALLOCATED, IDLE, CLOSED, PAUSED,
 *                                                            WRITING (keeps the old group),
 *                                                            ASKING (again for any group; seals the old one,
 *                                                            which was put)
 *   ALLOCATED   a group, no chunk opened yet             --&gt; OPENING, PUTTING, SYNCING,
 *                                                            ASKING (complete, another group)
 *   PUTTING     the chunks are being put whole           --&gt; ASKING (seal; another group)
 *   OPENING     the chunks are being opened              --&gt; WRITING, ASKING (another group)
 *   WRITING     stripes are sent                         --&gt; DRAINING, SYNCING, FLUSHING
 *   FLUSHING    what was sent, and the open stripe's tail
 *               records, are to be acknowledged          --&gt; WRITING
 *   DRAINING    nothing more is sent; acknowledgements   --&gt; FINISHING, SETTLING,
 *                                                            ASKING (drop; when empty or for a rewrite)
 *   SETTLING    acknowledged records are on disk; what takes
 *               their place is put there before they go  --&gt; FINISHING, ASKING (drop, for a rewrite)
 *   FINISHING   the chunks that live are published       --&gt; ASKING (seal), ASKING (drop, for a rewrite)
 *   SYNCING     earlier groups are put on disk           --&gt; IDLE, ALLOCATED, WRITING: where it came from
 *   PAUSED      no datanodes at the moment               --&gt; ASKING
 *   CLOSED      the file is closed                       the end
 *   FAILED      given up, refused, or a bug              the end; from every state
 * </pre>
 */
enum WriterState {
    IDLE,
    ASKING,
    ALLOCATED,
    PUTTING,
    OPENING,
    WRITING,
    FLUSHING,
    DRAINING,
    SETTLING,
    FINISHING,
    SYNCING,
    PAUSED,
    CLOSED,
    FAILED;

    boolean over() {
        return this == CLOSED || this == FAILED;
    }

    boolean mayBecome(WriterState next) {
        return next == FAILED || edges().contains(next);
    }

    private Set<WriterState> edges() {
        return switch (this) {
            case IDLE -> EnumSet.of(ASKING, SYNCING);
            case ASKING -> EnumSet.of(ALLOCATED, IDLE, CLOSED, PAUSED, WRITING, ASKING);
            case ALLOCATED -> EnumSet.of(OPENING, PUTTING, ASKING, SYNCING);
            case OPENING -> EnumSet.of(WRITING, ASKING);
            case WRITING -> EnumSet.of(DRAINING, SYNCING, FLUSHING);
            case FLUSHING -> EnumSet.of(WRITING);
            case DRAINING -> EnumSet.of(FINISHING, SETTLING, ASKING);
            case SETTLING -> EnumSet.of(FINISHING, ASKING);
            case PUTTING, FINISHING, PAUSED -> EnumSet.of(ASKING);
            case SYNCING -> EnumSet.of(IDLE, ALLOCATED, WRITING);
            case CLOSED, FAILED -> EnumSet.noneOf(WriterState.class);
        };
    }
}
