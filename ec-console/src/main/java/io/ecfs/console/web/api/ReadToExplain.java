package io.ecfs.console.web.api;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.ecfs.client.EcfsClient;
import io.ecfs.client.read.batch.FileRange;
import io.ecfs.console.view.ExplainedRead;
import io.ecfs.message.FilePath;
import io.ecfs.wire.Await;
import java.io.IOException;
import java.util.List;

/** The same part of some files, read as one request; small, since this process has memory for all of it. */
record ReadToExplain(List<FileRange> ranges) {
    /** 1 MiB. */
    static final String USUAL_BYTES = "1048576";

    private static final int MOST_FILES = 8;
    private static final long MOST_BYTES = 4 << 20;

    /**
     * @param length of each part, in bytes; what is behind a file's end is left out
     * @throws IllegalArgumentException for too much
     */
    static ReadToExplain of(List<String> paths, long from, long length) {
        if (paths.isEmpty() || paths.size() > MOST_FILES) {
            throw new IllegalArgumentException("name 1 to " + MOST_FILES + " files, not " + paths.size());
        }
        if (length < 1 || length > MOST_BYTES) {
            throw new IllegalArgumentException("length must be in [1, " + MOST_BYTES + "]: " + length);
        }
        if (from < 0 || from > Long.MAX_VALUE - MOST_BYTES) {
            throw new IllegalArgumentException("from is no place in a file: " + from);
        }
        return new ReadToExplain(paths.stream()
                .map(path -> new FileRange(new FilePath(path), from, from + length))
                .toList());
    }

    ObjectNode explain(EcfsClient client, boolean read) throws IOException {
        return new ExplainedRead(Await.result(client.explain(ranges, read))).json();
    }
}
