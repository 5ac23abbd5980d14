package io.ecfs.client.read.stream;

import io.ecfs.buffer.MemoryBudget;
import io.ecfs.client.base.ClientConfig;
import io.ecfs.client.location.BatchLookup;
import io.ecfs.client.location.FileLocations;
import io.ecfs.client.location.Locations;
import io.ecfs.client.location.Lookup;
import io.ecfs.client.location.OpenGroups;
import io.ecfs.client.location.PatchLoader;
import io.ecfs.client.read.batch.JointReads;
import io.ecfs.client.read.batch.ReadableFile;
import io.ecfs.client.read.gather.GatheredReads;
import io.ecfs.client.read.span.SpanFetches;
import io.ecfs.env.Clock;
import io.ecfs.error.EcfsException;
import io.ecfs.error.ErrorCode;
import io.ecfs.message.FilePath;
import io.ecfs.message.namespace.FileStatus;
import io.ecfs.message.namespace.NamespaceReply;
import io.ecfs.message.namespace.NamespaceRequest;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/** Opens files for reading. Safe for use by several threads. */
public final class FileReaders {
    /** Locations fetched with the opening call. */
    private static final long FIRST_LOCATE_BYTES = 8L << 30;

    private final SpanFetches fetches;
    private final GatheredReads gathered;
    private final JointReads joint;
    private final OpenGroups openGroups;
    private final PatchLoader patches;
    private final Clock clock;
    private final MemoryBudget demand;
    private final MemoryBudget ahead;
    private final ClientConfig config;

    /**
     * @param demand memory of reads that a caller waits for
     * @param ahead memory of reads ahead of streams
     */
    public FileReaders(
            SpanFetches fetches,
            GatheredReads gathered,
            JointReads joint,
            OpenGroups openGroups,
            PatchLoader patches,
            Clock clock,
            MemoryBudget demand,
            MemoryBudget ahead,
            ClientConfig config) {
        this.fetches = fetches;
        this.gathered = gathered;
        this.joint = joint;
        this.openGroups = openGroups;
        this.patches = patches;
        this.clock = clock;
        this.demand = demand;
        this.ahead = ahead;
        this.config = config;
    }

    /** Opens one file; fails with {@code NOT_FOUND}, {@code IS_A_DIRECTORY}, {@code ACCESS_DENIED}. */
    public CompletableFuture<FileReader> open(FilePath path, Lookup namenode) {
        return namenode.locate(new NamespaceRequest.Locate(path, 0, FIRST_LOCATE_BYTES))
                .thenCompose(located -> opened(path, located, namenode));
    }

    /**
     * Opens many files, by as few calls as possible.
     *
     * @return each as by {@link #open}
     */
    public Map<FilePath, CompletableFuture<ReadableFile>> openAll(Collection<FilePath> paths, Lookup namenode) {
        Map<FilePath, CompletableFuture<ReadableFile>> files = new LinkedHashMap<>();
        if (paths.size() == 1) {
            paths.forEach(path -> files.put(path, open(path, namenode).thenApply(FileReader::opened)));
        } else {
            BatchLookup.locate(paths, FIRST_LOCATE_BYTES, namenode)
                    .forEach((path, located) -> files.put(
                            path,
                            located.thenCompose(found -> opened(path, found, namenode))
                                    .thenApply(FileReader::opened)));
        }
        return files;
    }

    /** A reader of a file whose locations somebody else knows. */
    public FileReader of(FileStatus file, Locations locations) {
        return new FileReader(fetches, gathered, joint, config, demand, ahead, file, locations);
    }

    private CompletableFuture<FileReader> opened(FilePath path, NamespaceReply.Located located, Lookup namenode) {
        if (located.status().directory()) {
            return CompletableFuture.failedFuture(
                    new EcfsException(ErrorCode.IS_A_DIRECTORY, path + " is a directory"));
        }
        return FileLocations.of(path, located, clock, openGroups, namenode, patches)
                .thenApply(locations -> of(located.status(), locations));
    }
}
