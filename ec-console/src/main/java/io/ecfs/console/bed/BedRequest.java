package io.ecfs.console.bed;

import io.ecfs.code.ChunkSet;
import io.ecfs.console.sim.VirtualTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * A client's request for some blocks. What it asks of one site arrives there together; each chunk is answered as soon as it is read. A block that
 * has enough chunks calls off what it asked for beyond them.
 */
final class BedRequest {
    /**
     * Where requests are served.
     *
     * @param dataChunks of each block that are enough: k
     * @param callsOff what late binding asked for and does not need is called off
     */
    record Bench(
            VirtualTime time,
            ChunkMap map,
            List<QueuedSite> sites,
            ReadStrategy strategy,
            int dataChunks,
            boolean callsOff) {}

    private final Bench bench;
    private final int[] blocks;
    private final Runnable done;
    private final long began;
    private final List<List<Asked>> open = new ArrayList<>(); // by position of the block
    private final int[] missing;
    private int blocksMissing;

    private static final class Asked {
        final int block;
        final int site;
        final long through;
        final boolean spare;
        QueuedSite.Work work;
        boolean over;

        /** @param through bytes that the site has read of the request when it has read this chunk */
        Asked(int block, int site, long through, boolean spare) {
            this.block = block;
            this.site = site;
            this.through = through;
            this.spare = spare;
        }
    }

    /** @param done runs when all blocks are there */
    BedRequest(Bench bench, int[] blocks, Runnable done) {
        this.bench = bench;
        this.blocks = blocks;
        this.done = done;
        this.began = bench.time().nanos();
        this.missing = new int[blocks.length];
        this.blocksMissing = blocks.length;
    }

    void ask(List<ReadStrategy.Choice> choices) {
        Map<Integer, List<Integer>> chunks = new TreeMap<>();
        Map<Integer, List<Integer>> spares = new TreeMap<>();
        for (int i = 0; i < blocks.length; i++) {
            open.add(new ArrayList<>());
            missing[i] = bench.dataChunks();
            sort(i, choices.get(i).chunks(), chunks);
            sort(i, choices.get(i).spares(), spares);
        }
        chunks.forEach((site, positions) -> ask(site, positions, false));
        spares.forEach((site, positions) -> ask(site, positions, true));
    }

    private void sort(int position, ChunkSet chunks, Map<Integer, List<Integer>> bySite) {
        for (int chunk : chunks) {
            bySite.computeIfAbsent(bench.map().site(blocks[position], chunk), site -> new ArrayList<>())
                    .add(position);
        }
    }

    private void ask(int site, List<Integer> positions, boolean spare) {
        QueuedSite.Visit visit = bench.sites().get(site).visit();
        long through = 0;
        for (int i : positions) {
            int bytes = bench.map().chunkBytes(blocks[i]);
            through += bytes;
            Asked asked = new Asked(i, site, through, spare);
            open.get(i).add(asked);
            Runnable done = () -> bench.time().after(QueuedSite.NETWORK_NANOS, () -> answered(asked));
            asked.work = spare ? visit.spare(bytes, done) : visit.read(bytes, done);
        }
    }

    private void answered(Asked asked) {
        if (asked.over) {
            return;
        }
        asked.over = true;
        long took = bench.time().nanos() - began;
        if (!asked.spare) {
            bench.strategy().answered(asked.site, asked.through, took);
        }
        if (--missing[asked.block] == 0) {
            open.get(asked.block).stream().filter(other -> !other.over).forEach(other -> callOff(other, took));
            if (--blocksMissing == 0) {
                done.run();
            }
        }
    }

    private void callOff(Asked asked, long waited) {
        asked.over = true;
        if (!asked.spare) {
            bench.strategy().calledOff(asked.site, asked.through, waited);
        }
        if (bench.callsOff()) {
            bench.time().after(QueuedSite.NETWORK_NANOS / 2, asked.work::callOff);
        }
    }
}
