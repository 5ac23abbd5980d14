package io.ecfs.client.location;

import io.ecfs.error.EcfsException;
import io.ecfs.layout.GroupId;
import io.ecfs.message.namespace.LocatedGroup;

/** The bytes of one patch group of a file, by their offsets in it. */
public interface PatchSource {
    GroupId group();

    /**
     * The segment that holds a byte of the group; its extent is of a file that has the group's bytes alone.
     *
     * @throws EcfsException {@code FILE_CHANGED} when the byte is gone: it was not acknowledged when its writer died
     */
    Segment at(long groupOffset) throws EcfsException;

    /** Returns whether this client fills the group. */
    default boolean filling() {
        return false;
    }

    /** Where the group's chunks are now, with a fresh token. */
    void locate(LocatedGroup now);
}
