package io.ecfs.client.write;

import io.ecfs.error.EcfsException;
import io.ecfs.error.ErrorCode;
import io.ecfs.message.namespace.FileStatus;
import io.ecfs.message.namespace.NamespaceReply;
import java.util.Optional;

/** Why the writer of one file ended, in words for its user. */
record WriterFailures(FileStatus file) {

    EcfsException tooFewOpened(ChunkSetWriter opened, Optional<EcfsException> noOther) {
        return new EcfsException(
                ErrorCode.NO_SPACE,
                file.path() + ": of group " + opened.located().group() + " only "
                        + opened.chunks().live()
                        + " chunks could be begun, " + opened.chunks().required() + " are required under "
                        + file.policy()
                        + noOther.map(r -> "; no other group: " + r.getMessage())
                                .orElse("")
                        + "; " + opened.chunks().failures(),
                noOther.orElse(null));
    }

    /** @param why its bytes cannot be written to other datanodes */
    EcfsException groupLost(ChunkSetWriter broken, String why) {
        return new EcfsException(
                ErrorCode.NO_SPACE,
                file.path() + ": group " + broken.located().group() + " has "
                        + broken.chunks().live() + " chunks left, "
                        + broken.chunks().required()
                        + " are required under " + file.policy() + ", and " + why
                        + "; what was not acknowledged before is lost; "
                        + broken.chunks().failures());
    }

    /** What was acknowledged is kept: recovery closes the file with it, and repair makes it safe again. */
    EcfsException tooFewLeft(ChunkSetWriter broken) {
        return new EcfsException(
                ErrorCode.NO_SPACE,
                file.path() + ": group " + broken.located().group() + ", of which bytes were acknowledged, has "
                        + broken.chunks().live() + " chunks left, "
                        + broken.chunks().required()
                        + " are required under " + file.policy()
                        + " to write on; the file is closed with all that was acknowledged; "
                        + broken.chunks().failures());
    }

    EcfsException rescueFailed(EcfsException cause) {
        return new EcfsException(
                cause.code(),
                file.path() + ": a group lost too many chunks while it was written and could not be copied to others: "
                        + cause.getMessage(),
                cause);
    }

    /** A fenced chunk says that the namenode has taken the file from this writer. */
    EcfsException taken(EcfsException fenced) {
        return new EcfsException(
                ErrorCode.LEASE_CONFLICT, file.path() + " was taken from this writer: " + fenced.getMessage(), fenced);
    }

    EcfsException givenUp() {
        return new EcfsException(ErrorCode.INVALID_ARGUMENT, file.path() + " was given up by its writer");
    }

    EcfsException unexpected(NamespaceReply reply, long acceptedBytes) {
        return new EcfsException(
                ErrorCode.INTERNAL,
                file.path() + ": after " + acceptedBytes + " bytes were written the namenode answered " + reply);
    }

    EcfsException broke(Throwable bug) {
        return new EcfsException(ErrorCode.INTERNAL, "writer of " + file.path() + " broke: " + bug, bug);
    }
}
