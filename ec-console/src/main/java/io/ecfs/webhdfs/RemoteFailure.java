package io.ecfs.webhdfs;

import io.ecfs.error.EcfsException;
import io.ecfs.error.ErrorCode;
import jakarta.servlet.http.HttpServletResponse;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.hadoop.fs.FileAlreadyExistsException;
import org.apache.hadoop.fs.ParentNotDirectoryException;
import org.apache.hadoop.fs.PathIsNotEmptyDirectoryException;
import org.apache.hadoop.ipc.RetriableException;
import org.apache.hadoop.security.AccessControlException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A failure as HDFS answers it: a status, and the class and message of a Java exception that its clients throw again
 * (HDFS: ExceptionHandler, RemoteException).
 *
 * @param status HTTP status
 * @param javaClass name of the exception's class
 * @param message one line
 */
record RemoteFailure(int status, String javaClass, String message) {
    private static final Logger LOG = LoggerFactory.getLogger(RemoteFailure.class);

    private record Rule(Class<? extends Exception> kind, int status) {}

    /** The first that applies; as HDFS documents them. */
    private static final List<Rule> RULES = List.of(
            new Rule(SecurityException.class, HttpServletResponse.SC_UNAUTHORIZED),
            new Rule(RetriableException.class, HttpServletResponse.SC_SERVICE_UNAVAILABLE),
            new Rule(FileNotFoundException.class, HttpServletResponse.SC_NOT_FOUND),
            new Rule(IOException.class, HttpServletResponse.SC_FORBIDDEN),
            new Rule(UnsupportedOperationException.class, HttpServletResponse.SC_BAD_REQUEST),
            new Rule(IllegalArgumentException.class, HttpServletResponse.SC_BAD_REQUEST));

    /** Hadoop's exceptions in place of ours that no client of HDFS knows; by name where its jar is not here. */
    private static final Map<ErrorCode, String> BY_CODE = new EnumMap<>(Map.of(
            ErrorCode.NOT_FOUND, FileNotFoundException.class.getName(),
            ErrorCode.ALREADY_EXISTS, FileAlreadyExistsException.class.getName(),
            ErrorCode.PARENT_NOT_DIRECTORY, ParentNotDirectoryException.class.getName(),
            ErrorCode.NOT_A_DIRECTORY, ParentNotDirectoryException.class.getName(),
            ErrorCode.NOT_EMPTY, PathIsNotEmptyDirectoryException.class.getName(),
            ErrorCode.ACCESS_DENIED, AccessControlException.class.getName(),
            ErrorCode.BUSY, RetriableException.class.getName(),
            ErrorCode.SAFE_MODE, "org.apache.hadoop.hdfs.server.namenode.SafeModeException",
            ErrorCode.LEASE_CONFLICT, "org.apache.hadoop.hdfs.protocol.AlreadyBeingCreatedException"));

    static RemoteFailure of(Exception failure) {
        return failure instanceof EcfsException ecfs ? ofEcfs(ecfs) : ofJava(failure);
    }

    private static RemoteFailure ofEcfs(EcfsException failure) {
        return switch (failure.code()) {
            case INVALID_ARGUMENT -> ofJava(new IllegalArgumentException(failure.getMessage()));
            case UNSUPPORTED -> ofJava(new UnsupportedOperationException(failure.getMessage()));
            case NOT_FOUND ->
                new RemoteFailure(HttpServletResponse.SC_NOT_FOUND, BY_CODE.get(failure.code()), failure.getMessage());
            case BUSY ->
                new RemoteFailure(
                        HttpServletResponse.SC_SERVICE_UNAVAILABLE, BY_CODE.get(failure.code()), failure.getMessage());
            default ->
                new RemoteFailure(
                        HttpServletResponse.SC_FORBIDDEN,
                        BY_CODE.getOrDefault(failure.code(), IOException.class.getName()),
                        failure.getMessage());
        };
    }

    private static RemoteFailure ofJava(Exception failure) {
        int status = RULES.stream()
                .filter(rule -> rule.kind().isInstance(failure))
                .findFirst()
                .map(Rule::status)
                .orElse(HttpServletResponse.SC_INTERNAL_SERVER_ERROR);
        if (status == HttpServletResponse.SC_INTERNAL_SERVER_ERROR) {
            LOG.error("event=webhdfs_request_failed", failure);
        }
        return new RemoteFailure(status, failure.getClass().getName(), String.valueOf(failure.getMessage()));
    }

    void send(HttpServletResponse response) throws IOException {
        Map<String, Object> form = new TreeMap<>();
        form.put("exception", javaClass.replaceFirst("^.*[.$]", ""));
        form.put("javaClassName", javaClass);
        form.put("message", message);
        response.reset();
        WebHdfsAnswer.send(response, status, Map.of("RemoteException", form));
    }
}
