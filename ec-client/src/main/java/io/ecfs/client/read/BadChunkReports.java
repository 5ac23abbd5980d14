package io.ecfs.client.read;

import io.ecfs.message.chunk.BadChunk;
import io.ecfs.message.namespace.NamespaceReply;
import io.ecfs.message.namespace.NamespaceRequest;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reports chunks that could not be used to the namenode, each once: exactly the chunk, on exactly the volume
 * (HDFS-17003). Safe for use by several threads.
 */
public final class BadChunkReports {
    private static final Logger LOG = LoggerFactory.getLogger(BadChunkReports.class);
    private static final int REMEMBERED = 1024;

    private final Function<NamespaceRequest.ReportBadChunks, CompletableFuture<NamespaceReply.Done>> namenode;
    private final Set<BadChunk> reported = Collections.synchronizedSet(Collections.newSetFromMap(new LinkedHashMap<>() {
        @Override
        protected boolean removeEldestEntry(Map.Entry<BadChunk, Boolean> eldest) {
            return size() > REMEMBERED;
        }
    }));

    public BadChunkReports(
            Function<NamespaceRequest.ReportBadChunks, CompletableFuture<NamespaceReply.Done>> namenode) {
        this.namenode = namenode;
    }

    /** Does not wait; a report that fails is made again when the chunk is met again. */
    void report(BadChunk bad) {
        if (!reported.add(bad)) {
            return;
        }
        LOG.warn(
                "event=bad_chunk chunk={} volume={} datanode={} reason={}",
                bad.chunk(),
                bad.volume(),
                bad.datanode(),
                bad.reason());
        namenode.apply(new NamespaceRequest.ReportBadChunks(List.of(bad))).whenComplete((done, failure) -> {
            if (failure != null) {
                reported.remove(bad);
                LOG.warn("event=bad_chunk_not_reported chunk={} reason=\"{}\"", bad.chunk(), failure.toString());
            }
        });
    }
}
