package io.ecfs.webhdfs;

import io.ecfs.client.EcfsClient;
import io.ecfs.hadoop.EcfsFileSystem;
import io.ecfs.message.FilePath;
import jakarta.servlet.http.HttpServletRequest;
import org.apache.hadoop.fs.Path;

/**
 * One request, as a handler gets it.
 *
 * @param files the cluster with the rights of the request's user
 * @param client the client under {@code files}
 * @param path absolute, without a scheme
 * @param query parameters
 * @param request for its body
 * @param buffers of downloads
 */
record WebHdfsCall(
        EcfsFileSystem files,
        EcfsClient client,
        Path path,
        Query query,
        HttpServletRequest request,
        TransferBuffers buffers) {

    <T> T get(Parameter<T> parameter) {
        return query.get(parameter);
    }

    /** The path in the cluster's own form. */
    FilePath filePath() {
        return new FilePath(path.toUri().getPath());
    }
}
