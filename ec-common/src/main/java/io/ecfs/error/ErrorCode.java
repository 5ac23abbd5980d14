package io.ecfs.error;

/**
 * Kinds of failure that a program can act on. The names travel on the wire: they are never reused with another meaning.
 * A code that a peer does not know is read as {@link #INTERNAL}.
 */
public enum ErrorCode {
    // The caller's request cannot be done as asked; the same request will fail again.
    INVALID_ARGUMENT(Retry.NEVER),
    NOT_FOUND(Retry.NEVER),
    ALREADY_EXISTS(Retry.NEVER),
    PARENT_NOT_DIRECTORY(Retry.NEVER),
    IS_A_DIRECTORY(Retry.NEVER),
    NOT_A_DIRECTORY(Retry.NEVER),
    NOT_EMPTY(Retry.NEVER),
    ACCESS_DENIED(Retry.NEVER),
    UNSUPPORTED(Retry.NEVER),
    /** A directory above would hold more names or more space than its quota allows. */
    QUOTA_EXCEEDED(Retry.NEVER),
    /** Another client writes the file, or the caller's lease has ended. */
    LEASE_CONFLICT(Retry.NEVER),
    /**
     * The file changed since the caller opened it or read its status: it was truncated, or truncated and written anew.
     */
    FILE_CHANGED(Retry.NEVER),

    /**
     * The client has no session: this attempt had no effect, whether one before the session ended had its effect is
     * unknown.
     */
    SESSION_EXPIRED(Retry.NEVER),
    /**
     * The answer to this call was acknowledged or dropped: whether an earlier attempt had its effect is unknown, this
     * one had none.
     */
    DUPLICATE_CALL(Retry.NEVER),

    // The cluster cannot do it at the moment.
    /** This namenode does not lead; the exception names the leader when it is known. */
    NOT_LEADER(Retry.ELSEWHERE),
    SAFE_MODE(Retry.LATER),
    /** A bound was reached: queue, memory budget, connections. */
    BUSY(Retry.LATER),
    /** Not enough datanodes or space for a block group. */
    NO_SPACE(Retry.LATER),
    TIMEOUT(Retry.LATER),
    /** The connection broke: whether the request had its effect is unknown. */
    CONNECTION_LOST(Retry.LATER),
    /** No process answers at the address. */
    UNREACHABLE(Retry.LATER),

    // Chunks.
    /** The datanode has no such chunk. */
    CHUNK_MISSING(Retry.ELSEWHERE),
    /** The chunk's bytes do not match their checksums. */
    CHUNK_CORRUPT(Retry.ELSEWHERE),
    /** The chunk lacks bytes that were acknowledged to its writer: its machine lost them with its power. */
    CHUNK_INCOMPLETE(Retry.ELSEWHERE),
    /** A newer writer, generation or leader took over; the caller must stop. */
    FENCED(Retry.NEVER),
    TOKEN_REFUSED(Retry.NEVER),
    /** The volume failed an I/O. */
    VOLUME_FAILED(Retry.ELSEWHERE),
    /** The volume has no room left. */
    VOLUME_FULL(Retry.ELSEWHERE),
    /** The volume takes no change any more; what is on it can be read. */
    VOLUME_READ_ONLY(Retry.ELSEWHERE),
    /** Fewer than k chunks of a group can be read. */
    GROUP_UNREADABLE(Retry.LATER),

    // Protocol and identity.
    MALFORMED(Retry.NEVER),
    WRONG_CLUSTER(Retry.NEVER),
    INCOMPATIBLE_VERSION(Retry.NEVER),
    /** A bug on the other side; its log has the details. */
    INTERNAL(Retry.NEVER);

    /** Advice whether and where another attempt may succeed. */
    public enum Retry {
        NEVER,
        LATER,
        ELSEWHERE
    }

    private final Retry retry;

    ErrorCode(Retry retry) {
        this.retry = retry;
    }

    public Retry retry() {
        return retry;
    }

    public boolean retryable() {
        return retry != Retry.NEVER;
    }
}
