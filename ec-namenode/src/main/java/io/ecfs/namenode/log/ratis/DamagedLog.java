package io.ecfs.namenode.log.ratis;

import io.ecfs.error.EcfsException;
import io.ecfs.error.ErrorCode;
import java.util.Optional;
import org.apache.ratis.io.CorruptedFileException;
import org.apache.ratis.protocol.exceptions.ChecksumException;

/**
 * Distinguishes a log with damaged files from other reasons not to start. Ratis takes what does not fit at the end of
 * the newest segment for an entry whose writing broke off, which was never acknowledged, and cuts it; anything else
 * that does not match its checksum ends the start.
 */
final class DamagedLog {
    private DamagedLog() {}

    /** The failure for an operator; empty when the failure has another cause. */
    static Optional<EcfsException> in(RaftMember member, Throwable failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof CorruptedFileException || cause instanceof ChecksumException) {
                return Optional.of(new EcfsException(
                        ErrorCode.MALFORMED,
                        "the log of namenode " + member.id() + " in " + member.directory() + " is damaged: "
                                + String.valueOf(cause.getMessage())
                                        .lines()
                                        .findFirst()
                                        .orElse("")
                                + "; move the namenode's directory away and start it again, so that it fetches"
                                + " everything from the others, or restore a backup where no other has the state",
                        failure));
            }
        }
        return Optional.empty();
    }
}
