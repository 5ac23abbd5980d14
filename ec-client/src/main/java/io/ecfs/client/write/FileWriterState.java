package io.ecfs.client.write;

import java.util.EnumSet;
import java.util.Set;

/**
 * The states of a {@link FileWriter} and their edges; any other edge is a bug and stops the writer. The group at hand
 * has states of its own ({@link GroupWriterState}), which only change while the file is in GROUP_OPEN.
 *
 * <pre>
 *   NO_GROUP     the file has no open group                    --&gt; REQUESTING, SYNCING, CLOSED (packed)
 *   REQUESTING   the namenode is asked for a group, or to seal
 *                one, or to close the file; a group that is to
 *                be replaced stays at hand until the answer    --&gt; GROUP_OPEN (a new group, or the old
 *                                                                  one after all), NO_GROUP (sealed),
 *                                                                  BACKOFF, CLOSED
 *   BACKOFF      no datanodes at the moment                    --&gt; REQUESTING
 *   GROUP_OPEN   the group takes its next step                 --&gt; REQUESTING, SYNCING
 *   SYNCING      earlier groups are put on disk                --&gt; NO_GROUP, GROUP_OPEN: where it came from
 *   CLOSED       the file is closed                            the end
 *   FAILED       given up, refused, or a bug                   the end; from every state
 * </pre>
 */
enum FileWriterState {
    NO_GROUP,
    REQUESTING,
    BACKOFF,
    GROUP_OPEN,
    SYNCING,
    CLOSED,
    FAILED;

    boolean over() {
        return this == CLOSED || this == FAILED;
    }

    boolean mayBecome(FileWriterState next) {
        return next == FAILED || edges().contains(next);
    }

    private Set<FileWriterState> edges() {
        return switch (this) {
            case NO_GROUP -> EnumSet.of(REQUESTING, SYNCING, CLOSED);
            case GROUP_OPEN -> EnumSet.of(REQUESTING, SYNCING);
            case REQUESTING -> EnumSet.of(GROUP_OPEN, NO_GROUP, BACKOFF, CLOSED);
            case BACKOFF -> EnumSet.of(REQUESTING);
            case SYNCING -> EnumSet.of(NO_GROUP, GROUP_OPEN);
            case CLOSED, FAILED -> EnumSet.noneOf(FileWriterState.class);
        };
    }
}
