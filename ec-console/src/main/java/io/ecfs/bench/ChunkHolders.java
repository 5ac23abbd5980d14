package io.ecfs.bench;

import io.ecfs.layout.Extent;
import io.ecfs.message.Address;
import io.ecfs.message.chunk.ChunkLocation;
import io.ecfs.message.namespace.LocatedGroup;
import io.ecfs.message.namespace.NamespaceReply;
import io.ecfs.wire.Await;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** Datanodes that store the chunks of a file. */
record ChunkHolders(List<LocatedGroup> groups) {
    ChunkHolders {
        groups = List.copyOf(groups);
    }

    /** Of the first of these files. */
    static ChunkHolders of(SequentialFiles files) throws IOException {
        List<LocatedGroup> groups = new ArrayList<>();
        for (long at = 0; at < files.bytesOfOne(); ) {
            NamespaceReply.Located page =
                    Await.result(files.stage().client().locate(files.path(0), at, files.bytesOfOne() - at));
            groups.addAll(page.groups());
            List<Extent> extents = page.extents();
            at = extents.get(extents.size() - 1).fileEnd();
        }
        return new ChunkHolders(groups);
    }

    /**
     * The datanode that holds most data (not parity) chunks, of those that still run; of several the one with the
     * lowest name.
     */
    String busiest(List<String> stopped) {
        Map<String, Integer> chunks = new HashMap<>();
        dataChunks()
                .map(ChunkHolders::holder)
                .filter(holder -> !stopped.contains(holder))
                .forEach(holder -> chunks.merge(holder, 1, Integer::sum));
        return chunks.entrySet().stream()
                .max(Map.Entry.<String, Integer>comparingByValue()
                        .thenComparing(
                                Map.Entry.<String, Integer>comparingByKey().reversed()))
                .map(Map.Entry::getKey)
                .orElseGet(() -> any(stopped));
    }

    /** Replicas beyond the first are parity: when no data chunk is left to lose, they are. */
    private String any(List<String> stopped) {
        return chunks().map(ChunkHolders::holder)
                .filter(holder -> !stopped.contains(holder))
                .sorted()
                .findFirst()
                .orElseThrow();
    }

    /** Average number of data chunks of a group on these datanodes. */
    double dataChunksOn(List<String> datanodes) {
        return dataChunks().filter(chunk -> datanodes.contains(holder(chunk))).count() / (double) groups.size();
    }

    /** Address of one of these datanodes. */
    Address address(String datanode) {
        return chunks().filter(chunk -> holder(chunk).equals(datanode))
                .map(ChunkLocation::address)
                .findFirst()
                .orElseThrow();
    }

    private Stream<ChunkLocation> chunks() {
        return groups.stream().flatMap(group -> group.chunks().stream());
    }

    private Stream<ChunkLocation> dataChunks() {
        return groups.stream()
                .flatMap(group -> group.chunks().stream()
                        .filter(chunk -> chunk.chunk().index() < group.policy().dataChunks()));
    }

    private static String holder(ChunkLocation chunk) {
        return chunk.datanode().name();
    }
}
