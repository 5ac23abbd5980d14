package io.ecfs.client.write;

import java.util.EnumSet;
import java.util.Set;

/**
 * The states of a {@link GroupWriter} and their edges; any other edge is a bug and stops the writer.
 *
 * <pre>
 *   ALLOCATED    no datanode was asked for a chunk yet         --&gt; CREATING, PUTTING
 *   CREATING     the chunks are being created                  --&gt; STREAMING
 *   PUTTING      the chunks are being put whole                --&gt; DONE
 *   STREAMING    stripes are sent                              --&gt; FLUSHING, DRAINING
 *   FLUSHING     what was sent, and the open stripe's tail
 *                records, are to be acknowledged               --&gt; STREAMING
 *   DRAINING     nothing more is sent; acknowledgements        --&gt; SETTLING, FINALIZING,
 *                                                                  DONE (empty, or for a rewrite)
 *   SETTLING     acknowledged records are on disk; what takes
 *                their place is put there before they go       --&gt; FINALIZING, DONE (for a rewrite)
 *   FINALIZING   the chunks that live are published            --&gt; DONE
 *   DONE         published, or given up                        the end; from every state
 * </pre>
 *
 * <p>Of a group in CREATING or PUTTING some chunks may have failed. It stays there while the namenode is asked for
 * another, which replaces it (DONE); when there is none, it goes on with the chunks that it has.
 */
enum GroupWriterState {
    ALLOCATED,
    CREATING,
    PUTTING,
    STREAMING,
    FLUSHING,
    DRAINING,
    SETTLING,
    FINALIZING,
    DONE;

    boolean mayBecome(GroupWriterState next) {
        return next == DONE ? this != DONE : edges().contains(next);
    }

    private Set<GroupWriterState> edges() {
        return switch (this) {
            case ALLOCATED -> EnumSet.of(CREATING, PUTTING);
            case CREATING, FLUSHING -> EnumSet.of(STREAMING);
            case STREAMING -> EnumSet.of(FLUSHING, DRAINING);
            case DRAINING -> EnumSet.of(SETTLING, FINALIZING);
            case SETTLING -> EnumSet.of(FINALIZING);
            case PUTTING, FINALIZING, DONE -> EnumSet.noneOf(GroupWriterState.class);
        };
    }
}
