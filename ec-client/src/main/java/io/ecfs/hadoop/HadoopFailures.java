package io.ecfs.hadoop;

import io.ecfs.client.base.Await;
import io.ecfs.error.EcfsException;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import org.apache.hadoop.fs.FileAlreadyExistsException;
import org.apache.hadoop.fs.ParentNotDirectoryException;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.PathIsNotEmptyDirectoryException;
import org.apache.hadoop.security.AccessControlException;

/** Waits for the client and throws what Hadoop's contract names. */
final class HadoopFailures {
    private HadoopFailures() {}

    /** @param path what the call is about, for the message */
    static <T> T await(CompletableFuture<T> future, Path path) throws IOException {
        try {
            return Await.result(future);
        } catch (EcfsException e) {
            throw translated(e, path);
        }
    }

    static IOException translated(EcfsException e, Path path) {
        IOException translated = switch (e.code()) {
            case NOT_FOUND -> new FileNotFoundException(e.getMessage());
            case ALREADY_EXISTS -> new FileAlreadyExistsException(e.getMessage());
            case PARENT_NOT_DIRECTORY, NOT_A_DIRECTORY -> new ParentNotDirectoryException(e.getMessage());
            case NOT_EMPTY -> new PathIsNotEmptyDirectoryException(path.toString());
            case ACCESS_DENIED -> new AccessControlException(e.getMessage());
            default -> e;
        };
        if (translated != e) {
            translated.initCause(e);
        }
        return translated;
    }
}
