package io.ecfs.webhdfs;

import io.ecfs.client.EcfsClient;
import io.ecfs.hadoop.EcfsFileSystem;
import io.ecfs.message.FilePath;
import jakarta.servlet.http.HttpServletRequest;
import java.util.Optional;
import org.apache.hadoop.fs.Path;

/**
 * One request, as a handler gets it.
 *
 * @param files the cluster with the rights of the request's user
 * @param client the client under {@code files}
 * @param path absolute, without a scheme
 * @param query parameters
 * @param request for its body
 * @param proxy where clients reach this server, when it is not the request's address
 */
record WebHdfsCall(
        EcfsFileSystem files,
        EcfsClient client,
        Path path,
        Query query,
        HttpServletRequest request,
        Optional<PublicUrl> proxy) {

    <T> T get(Parameter<T> parameter) {
        return query.get(parameter);
    }

    /** The file's URI, as Hadoop's clients call it. */
    String fileUri() {
        return proxy.map(PublicUrl::fileSystem).orElseGet(() -> "webhdfs://" + request.getHeader("Host"))
                + new Path(path.toUri().getPath()).toUri().getRawPath();
    }

    /** The URL of this request. */
    String url() {
        return proxy.map(url -> url.of(request.getRequestURI()))
                .orElseGet(() -> request.getRequestURL().toString());
    }

    /** The path in the cluster's own form. */
    FilePath filePath() {
        return new FilePath(path.toUri().getPath());
    }
}
