package io.ecfs.namenode.audit;

import io.ecfs.error.ErrorCode;
import io.ecfs.layout.InodeId;
import io.ecfs.message.CallerContext;
import io.ecfs.message.FilePath;
import io.ecfs.message.report.AuditForm;
import java.util.Optional;
import java.util.function.Function;

/**
 * One line of the audit log in its {@link AuditForm}: the fields of HDFS first and in its order, then ours
 * ({@code result}, {@code request}, {@code detail}).
 *
 * <pre>
 * 2026-11-26 12:00:00,000 INFO ecfs.audit: allowed=true ugi=ann (auth:SIMPLE) ip=/10.0.0.7 cmd=rename src=/a dst=/b \
 *     perm=null proto=rpc callerContext=client result=OK request=6f1…#12 detail=
 * </pre>
 *
 * @param atMillis time of the reply, since the epoch; shown in UTC
 * @param caller who requested it
 * @param permission of the file as it is then, or as requested
 * @param failure empty when it was done; {@code ACCESS_DENIED} is the one that is not {@code allowed}
 * @param request id of the request, alike when a client sends it again; empty for requests without one
 */
record AuditLine(
        long atMillis,
        AuditCaller caller,
        AuditedOperation operation,
        Optional<String> permission,
        Optional<ErrorCode> failure,
        String request) {
    /**
     * Returns it with its newline.
     *
     * @param paths the present path of a file, for requests that have none
     */
    String text(Function<InodeId, Optional<FilePath>> paths) {
        return AuditForm.line(atMillis)
                .field(
                        "allowed",
                        Boolean.toString(
                                failure.filter(ErrorCode.ACCESS_DENIED::equals).isEmpty()))
                .field("ugi", caller.ugi())
                .field("ip", "/" + caller.address())
                .field("cmd", operation.command())
                .field("src", source(paths))
                .field("dst", operation.target())
                .field("perm", permission.or(operation::permission))
                .field("proto", "rpc")
                .field("callerContext", shortened(caller.context()))
                .field("result", failure.map(Enum::name).orElse("OK"))
                .field("request", shortened(request))
                .field("detail", operation.detail())
                .end();
    }

    /** HDFS's form for a file that has no path any more, or whose path cannot be read. */
    private Optional<String> source(Function<InodeId, Optional<FilePath>> paths) {
        return operation
                .source()
                .or(() -> operation.file().map(file -> {
                    try {
                        return paths.apply(file).map(FilePath::text).orElseGet(() -> byInode(file));
                    } catch (RuntimeException e) {
                        return byInode(file);
                    }
                }));
    }

    static String byInode(InodeId file) {
        return "/.reserved/.inodes/" + file.value();
    }

    private static String shortened(String text) {
        return text.length() <= CallerContext.MOST_STORED ? text : text.substring(0, CallerContext.MOST_STORED);
    }
}
