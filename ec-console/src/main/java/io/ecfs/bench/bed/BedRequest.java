package io.ecfs.bench.bed;

import io.ecfs.code.ChunkSet;
import io.ecfs.sim.time.VirtualTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * A client's request for some blocks. Its chunks of one site arrive there together; each is answered as soon as it is
 * read. A block that has enough chunks cancels its redundant requests.
 */
final class BedRequest {
    /**
     * Sites that serve requests.
     *
     * @param dataChunks of each block that are enough: k
     * @param callsOff redundant requests of late binding are cancelled
     */
    record Scene(
            VirtualTime time,
            ChunkMap map,
            List<QueuedSite> sites,
            BedStrategy strategy,
            int dataChunks,
            boolean callsOff) {}

    private final Scene scene;
    private final int[] blocks;
    private final Runnable done;
    private final long began;
    private final List<List<Asked>> open = new ArrayList<>(); // by position of the block
    private final int[] missing;
    private int blocksMissing;

    private static final class Asked {
        final int position; // of its block
        final int site;
        final long through;
        final boolean spare;
        QueuedSite.Work work;
        boolean over;

        /** @param through bytes that the site has read of the request when it has read this chunk */
        Asked(int position, int site, long through, boolean spare) {
            this.position = position;
            this.site = site;
            this.through = through;
            this.spare = spare;
        }
    }

    /** @param done runs when all blocks are there */
    BedRequest(Scene scene, int[] blocks, Runnable done) {
        this.scene = scene;
        this.blocks = blocks;
        this.done = done;
        this.began = scene.time().nanos();
        this.missing = new int[blocks.length];
        this.blocksMissing = blocks.length;
    }

    void ask(List<BedStrategy.Choice> choices) {
        Map<Integer, List<Integer>> chunks = new TreeMap<>();
        Map<Integer, List<Integer>> spares = new TreeMap<>();
        for (int i = 0; i < blocks.length; i++) {
            open.add(new ArrayList<>());
            missing[i] = scene.dataChunks();
            sort(i, choices.get(i).chunks(), chunks);
            sort(i, choices.get(i).spares(), spares);
        }
        chunks.forEach((site, positions) -> ask(site, positions, false));
        spares.forEach((site, positions) -> ask(site, positions, true));
    }

    private void sort(int position, ChunkSet chunks, Map<Integer, List<Integer>> bySite) {
        for (int chunk : chunks) {
            bySite.computeIfAbsent(scene.map().site(blocks[position], chunk), site -> new ArrayList<>())
                    .add(position);
        }
    }

    private void ask(int site, List<Integer> positions, boolean spare) {
        QueuedSite.Visit visit = scene.sites().get(site).visit();
        long through = 0;
        for (int i : positions) {
            int bytes = scene.map().chunkBytes(blocks[i]);
            through += bytes;
            Asked asked = new Asked(i, site, through, spare);
            open.get(i).add(asked);
            Runnable done = () -> scene.time().after(QueuedSite.NETWORK_NANOS, () -> answered(asked));
            asked.work = spare ? visit.spare(bytes, done) : visit.read(bytes, done);
        }
    }

    private void answered(Asked asked) {
        if (asked.over) {
            return;
        }
        asked.over = true;
        long took = scene.time().nanos() - began;
        if (!asked.spare) {
            scene.strategy().answered(asked.site, asked.through, took);
        }
        if (--missing[asked.position] == 0) {
            open.get(asked.position).stream().filter(other -> !other.over).forEach(other -> callOff(other, took));
            if (--blocksMissing == 0) {
                done.run();
            }
        }
    }

    private void callOff(Asked asked, long waited) {
        asked.over = true;
        if (!asked.spare) {
            scene.strategy().calledOff(asked.site, asked.through, waited);
        }
        if (scene.callsOff()) {
            scene.time().after(QueuedSite.NETWORK_NANOS / 2, asked.work::callOff);
        }
    }
}
