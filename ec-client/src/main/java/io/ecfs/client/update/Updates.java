package io.ecfs.client.update;

import io.ecfs.buffer.BufferPool;
import io.ecfs.client.base.UpdateConfig;
import io.ecfs.client.location.ExtentLocations;
import io.ecfs.client.location.Lookup;
import io.ecfs.client.location.OpenGroups;
import io.ecfs.client.location.PatchedLocations;
import io.ecfs.client.read.stream.FileReader;
import io.ecfs.client.read.stream.FileReaders;
import io.ecfs.client.write.EcfsOutputStream;
import io.ecfs.client.write.FileWriter;
import io.ecfs.client.write.WriteServices;
import io.ecfs.env.Workers;
import io.ecfs.error.EcfsException;
import io.ecfs.layout.Extent;
import io.ecfs.message.FilePath;
import io.ecfs.message.namespace.FileStatus;
import io.ecfs.message.namespace.NamespaceReply;
import io.ecfs.message.namespace.NamespaceRequest;
import io.ecfs.message.namespace.NamespaceRequest.OpenUpdate;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

/** Opens files for update. Safe for use by several threads. */
public final class Updates {
    private final WriteServices services;
    private final FileReaders files;
    private final OpenGroups openGroups;
    private final PatchReads patches;
    private final Workers workers;
    private final BufferPool cells;

    /**
     * @param workers for what may wait for memory of an open file's stripes
     * @param cells lends the cells of all open files; each has a budget of its own
     */
    public Updates(
            WriteServices services,
            FileReaders files,
            OpenGroups openGroups,
            PatchReads patches,
            Workers workers,
            BufferPool cells) {
        this.services = services;
        this.files = files;
        this.openGroups = openGroups;
        this.patches = patches;
        this.workers = workers;
        this.cells = cells;
    }

    /**
     * Opens a file that is there.
     *
     * @param writers makes the writer of the opened file, whose lease is renewed
     * @return fails with {@code LEASE_CONFLICT} while another client has it open, {@code NOT_FOUND}
     */
    public CompletableFuture<UpdatableFile> open(
            FilePath path, UpdateOptions options, Lookup namenode, Function<FileStatus, FileWriter> writers) {
        return services.namenode()
                .call(
                        new OpenUpdate(
                                services.requests().next(),
                                path,
                                services.randomness().nextLong()),
                        NamespaceReply.Updating.class)
                .thenCompose(opened -> {
                    FileWriter writer = writers.apply(opened.status());
                    return located(opened.status(), namenode)
                            .thenCompose(located -> loaded(opened, options, writer, located, namenode))
                            .whenComplete((file, failure) -> {
                                if (failure != null) {
                                    writer.fail(EcfsException.of(failure));
                                }
                            });
                });
    }

    /** The pages of a file's location, which nobody else changes meanwhile. */
    private static CompletableFuture<List<NamespaceReply.Located>> located(FileStatus file, Lookup namenode) {
        return located(file, namenode, 0, new ArrayList<>());
    }

    private static CompletableFuture<List<NamespaceReply.Located>> located(
            FileStatus file, Lookup namenode, long from, List<NamespaceReply.Located> pages) {
        return namenode.locate(new NamespaceRequest.Locate(file.path(), from, file.length() - from))
                .thenCompose(page -> {
                    pages.add(page);
                    List<Extent> extents = page.extents();
                    return extents.isEmpty()
                            ? CompletableFuture.completedFuture(pages)
                            : located(
                                    file,
                                    namenode,
                                    extents.get(extents.size() - 1).fileEnd(),
                                    pages);
                });
    }

    private CompletableFuture<UpdatableFile> loaded(
            NamespaceReply.Updating opened,
            UpdateOptions options,
            FileWriter writer,
            List<NamespaceReply.Located> pages,
            Lookup namenode) {
        NamespaceReply.Located first = pages.get(0);
        List<Extent> extents = pages.stream()
                .flatMap(page -> page.extents().stream())
                .distinct()
                .toList();
        return patches.load(first, ExtentLocations.held(first, services.clock(), openGroups, namenode))
                .thenApply(locations -> opened(
                        opened,
                        options,
                        writer,
                        extents,
                        locations,
                        first.patches().orElseThrow().nonce()));
    }

    private UpdatableFile opened(
            NamespaceReply.Updating opened,
            UpdateOptions options,
            FileWriter writer,
            List<Extent> extents,
            PatchedLocations locations,
            long nonce) {
        UpdateConfig config = services.config().update();
        WriteServices own =
                services.forOne("stripes of an updated file", opened.status().policy(), cells);
        EcfsOutputStream stream = new EcfsOutputStream(own, writer, true);
        UpdatedLayout layout = new UpdatedLayout(locations.patches(), extents, opened.patches());
        FileReader reader = files.of(opened.status(), locations);
        PatchGroups groups = new PatchGroups(
                new PatchStream(workers, writer, stream, locations, nonce),
                new PatchLayout(services.namenode(), services.requests(), opened, layout, locations),
                new Compactor(locations.patches(), layout, options.spare(), config.mapBytes()),
                reader,
                options.synced());
        return new UpdatableFile(services.pending(), services.owner(), services.clock(), config, groups, reader);
    }
}
