package io.ecfs.client.plan;

/** Expected usability of one chunk for a reader, in the order of preference. */
public enum Standing {
    /** The bytes are here already, or are implicit zeros: reading costs nothing. */
    AT_HAND,
    /** Nothing speaks against it. */
    LIVE,
    /** A plan for several blocks chose others in its place. */
    PASSED_OVER,
    /** Its ring turns about now, so that its volume may write. */
    TURNING,
    /** Its volume writes now, in its turn: read only where the others cannot be decoded without it. */
    WRITING,
    /** Its datanode answers later than others do. */
    SLOW,
    /** Its datanode failed to answer a short while ago. */
    SUSPECTED,
    /** The namenode doubts it: not reported, or its datanode is silent. */
    DOUBTFUL,
    /** It was asked and has not answered in the usual time; it still may. */
    LATE,
    /** It was asked and failed, or there is no such chunk at present: never read. */
    FAILED
}
