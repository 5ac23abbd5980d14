package io.ecfs.hadoop;

import io.ecfs.error.EcfsException;
import io.ecfs.wire.Await;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.apache.hadoop.fs.ClusterStorageCapacityExceededException;
import org.apache.hadoop.fs.FileAlreadyExistsException;
import org.apache.hadoop.fs.ParentNotDirectoryException;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.PathIsNotEmptyDirectoryException;
import org.apache.hadoop.security.AccessControlException;

/** Waits for the client and throws the exceptions of Hadoop's contract. */
final class HadoopFailures {
    private HadoopFailures() {}

    /** @param path path of the call, for the message */
    static <T> T await(CompletableFuture<T> future, Path path) throws IOException {
        try {
            return Await.result(future);
        } catch (EcfsException e) {
            throw translated(e, path);
        }
    }

    /** As {@link #await} for lookups: a path below a file, or a directory in place of a file, is not found. */
    static <T> T awaitLookup(CompletableFuture<T> future, Path path) throws IOException {
        try {
            return Await.result(future);
        } catch (EcfsException e) {
            throw lookupFailure(e, path);
        }
    }

    /** As {@link #awaitLookup} for callers that wait themselves. */
    static <T> CompletableFuture<T> lookupFuture(CompletableFuture<T> future, Path path) {
        return future.handle((result, failure) -> {
            if (failure == null) {
                return result;
            }
            throw new CompletionException(lookupFailure(EcfsException.of(failure), path));
        });
    }

    private static IOException lookupFailure(EcfsException e, Path path) {
        return switch (e.code()) {
            case PARENT_NOT_DIRECTORY -> caused(new FileNotFoundException("File does not exist: " + e.getMessage()), e);
            case IS_A_DIRECTORY -> caused(new FileNotFoundException("Path is not a file: " + e.getMessage()), e);
            default -> translated(e, path);
        };
    }

    /** Sets the cause of an exception of Hadoop's without a constructor for it. */
    static <T extends Exception> T caused(T translated, Exception cause) {
        translated.initCause(cause);
        return translated;
    }

    /** Cause of a stage's failure, as a job sees it. */
    static Throwable cause(Throwable failure) {
        return translated(EcfsException.of(failure), new Path("/"));
    }

    static IOException translated(EcfsException e, Path path) {
        return switch (e.code()) {
            case NOT_FOUND -> caused(new FileNotFoundException("File does not exist: " + e.getMessage()), e);
            case ALREADY_EXISTS -> caused(new FileAlreadyExistsException(e.getMessage()), e);
            case PARENT_NOT_DIRECTORY, NOT_A_DIRECTORY -> caused(new ParentNotDirectoryException(e.getMessage()), e);
            case NOT_EMPTY -> caused(new PathIsNotEmptyDirectoryException(path.toString()), e);
            case QUOTA_EXCEEDED -> caused(new ClusterStorageCapacityExceededException(e.getMessage()), e);
            case ACCESS_DENIED -> caused(new AccessControlException(e.getMessage()), e);
            default -> e;
        };
    }
}
