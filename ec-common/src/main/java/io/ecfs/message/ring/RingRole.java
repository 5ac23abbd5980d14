package io.ecfs.message.ring;

/** What a volume of a ring does at present, as its datanode reports it. */
public enum RingRole {
    /** It reads only; mutations are staged in the journal. */
    READING,
    /** Its window has begun; earlier reads are answered first. */
    DRAINING_READS,
    /** It writes what is staged. */
    WRITING,
    /** Its window has ended; what was written is being synced. */
    SETTLING
}
