package io.ecfs.webhdfs;

import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import org.apache.hadoop.fs.Options;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.permission.FsPermission;

/** Changes of names: make, rename, delete, concatenate, cut. */
final class NameCalls {
    private static final Parameter<Integer> DIRECTORY_MODE = Parameter.mode("permission", 0755);
    private static final Parameter<Path> DESTINATION = new Parameter<>("destination", null, NameCalls::absolute);
    private static final Parameter<Options.Rename[]> RENAME_OPTIONS =
            new Parameter<>("renameoptions", null, NameCalls::renameOptions);
    private static final Parameter<Boolean> RECURSIVE = Parameter.flag("recursive", false);
    private static final Parameter<String> SOURCES = Parameter.text("sources");
    private static final Parameter<Long> NEW_LENGTH = Parameter.number("newlength", -1, 0);

    static final List<WebHdfsOperation> OPERATIONS = List.of(
            WebHdfsOperation.of(Verb.PUT, "MKDIRS", NameCalls::mkdirs),
            WebHdfsOperation.of(Verb.PUT, "RENAME", NameCalls::rename),
            WebHdfsOperation.of(Verb.POST, "CONCAT", NameCalls::concat),
            WebHdfsOperation.of(Verb.POST, "TRUNCATE", NameCalls::truncate),
            WebHdfsOperation.of(Verb.DELETE, "DELETE", NameCalls::delete));

    private NameCalls() {}

    /** The mode is what the caller's umask left of it. */
    private static WebHdfsAnswer mkdirs(WebHdfsCall call) throws IOException {
        return truth(
                call.files().mkdirs(call.path(), FsPermission.createImmutable((short) (int) call.get(DIRECTORY_MODE))));
    }

    @SuppressWarnings("deprecation") // in Hadoop, for callers; HDFS serves it to WebHDFS as well
    private static WebHdfsAnswer rename(WebHdfsCall call) throws IOException {
        Path to = call.query().required(DESTINATION, "RENAME");
        Options.Rename[] options = call.get(RENAME_OPTIONS);
        if (options == null) {
            return truth(call.files().rename(call.path(), to));
        }
        call.files().rename(call.path(), to, options);
        return WebHdfsAnswer.done();
    }

    private static WebHdfsAnswer concat(WebHdfsCall call) throws IOException {
        String sources = call.query().required(SOURCES, "CONCAT");
        call.files()
                .concat(
                        call.path(),
                        Arrays.stream(sources.split(","))
                                .map(NameCalls::absolute)
                                .toArray(Path[]::new));
        return WebHdfsAnswer.done();
    }

    private static WebHdfsAnswer truncate(WebHdfsCall call) throws IOException {
        return truth(call.files().truncate(call.path(), call.query().required(NEW_LENGTH, "TRUNCATE")));
    }

    private static WebHdfsAnswer delete(WebHdfsCall call) throws IOException {
        return truth(call.files().delete(call.path(), call.get(RECURSIVE)));
    }

    static WebHdfsAnswer truth(boolean value) {
        return WebHdfsAnswer.json("boolean", value);
    }

    private static Path absolute(String text) {
        if (!text.startsWith(Path.SEPARATOR)) {
            throw new IllegalArgumentException("Invalid parameter value: \"" + text + "\" is not an absolute path.");
        }
        return new Path(null, null, text);
    }

    private static Options.Rename[] renameOptions(String names) {
        return Arrays.stream(names.split(",")).map(Options.Rename::valueOf).toArray(Options.Rename[]::new);
    }
}
