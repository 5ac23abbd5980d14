package io.ecfs.namenode.audit;

import io.ecfs.error.ErrorCode;
import io.ecfs.layout.InodeId;
import io.ecfs.message.FilePath;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Function;

/**
 * One line of the audit log: fields {@code key=value} with tabs between them, HDFS's first and in its order, then ours
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
    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss,SSS", Locale.ROOT).withZone(ZoneOffset.UTC);
    private static final String HEAD = " INFO ecfs.audit: ";
    private static final String NONE = "null";
    /** As HDFS's {@code hadoop.caller.context.max.size}. */
    private static final int MOST_CONTEXT = 128;

    /** Characters of a line before its fields. */
    static final int HEAD_CHARACTERS = "yyyy-MM-dd HH:mm:ss,SSS".length() + HEAD.length();

    /**
     * Returns it with its newline.
     *
     * @param paths the present path of a file, for requests that have none
     */
    String text(Function<InodeId, Optional<FilePath>> paths) {
        return TIME.format(Instant.ofEpochMilli(atMillis)) + HEAD
                + "allowed=" + failure.filter(ErrorCode.ACCESS_DENIED::equals).isEmpty()
                + "\tugi=" + escaped(caller.ugi())
                + "\tip=/" + escaped(caller.address())
                + "\tcmd=" + operation.command()
                + "\tsrc=" + source(paths).map(AuditLine::escaped).orElse(NONE)
                + "\tdst=" + operation.target().map(AuditLine::escaped).orElse(NONE)
                + "\tperm="
                + permission.or(operation::permission).map(AuditLine::escaped).orElse(NONE)
                + "\tproto=rpc"
                + "\tcallerContext=" + escaped(shortened(caller.context()))
                + "\tresult=" + failure.map(Enum::name).orElse("OK")
                + "\trequest=" + escaped(shortened(request))
                + "\tdetail=" + escaped(operation.detail())
                + "\n";
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
        return text.length() <= MOST_CONTEXT ? text : text.substring(0, MOST_CONTEXT);
    }

    /**
     * Escapes, as Java does, what ends a field or a line or changes what a terminal shows: controls, line separators,
     * marks of writing direction, lone surrogates, and the backslash.
     */
    static String escaped(String text) {
        if (text.codePoints().allMatch(AuditLine::plain)) {
            return text;
        }
        StringBuilder escaped = new StringBuilder(text.length() + 16);
        text.codePoints().forEach(c -> {
            if (plain(c)) {
                escaped.appendCodePoint(c);
            } else {
                escaped.append(
                        switch (c) {
                            case '\t' -> "\\t";
                            case '\n' -> "\\n";
                            case '\r' -> "\\r";
                            case '\\' -> "\\\\";
                            default -> hex(c);
                        });
            }
        });
        return escaped.toString();
    }

    private static String hex(int c) {
        return c > 0xffff
                ? String.format(Locale.ROOT, "\\u%04x\\u%04x", (int) Character.highSurrogate(c), (int)
                        Character.lowSurrogate(c))
                : String.format(Locale.ROOT, "\\u%04x", c);
    }

    private static boolean plain(int c) {
        if (c >= ' ' && c < 0x7f) {
            return c != '\\';
        }
        return switch (Character.getType(c)) {
            case Character.CONTROL,
                    Character.FORMAT,
                    Character.LINE_SEPARATOR,
                    Character.PARAGRAPH_SEPARATOR,
                    Character.SURROGATE,
                    Character.UNASSIGNED -> false;
            default -> true;
        };
    }
}
