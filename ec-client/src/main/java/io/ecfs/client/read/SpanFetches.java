package io.ecfs.client.read;

import io.ecfs.buffer.MemoryBudget;
import io.ecfs.client.base.ClientConfig;
import io.ecfs.client.base.Pending;
import io.ecfs.env.Scheduler;

/** Makes {@link SpanFetch fetches} of spans of files. Safe for use by several threads. */
public final class SpanFetches {
    private final SpanReads reads;
    private final Scheduler owner;
    private final Pending pending;
    private final ClientConfig config;
    private final ReadStrategy single;

    public SpanFetches(SpanReads reads, Scheduler owner, Pending pending, ClientConfig config) {
        this.reads = reads;
        this.owner = owner;
        this.pending = pending;
        this.config = config;
        this.single = ReadStrategy.single(config.hedge().delta());
    }

    /** A fetch of file bytes [from, to) within one span, which is read alone. */
    public SpanFetch fetch(Locations locations, MemoryBudget budget, long from, long to) {
        return fetch(locations, budget, from, to, single);
    }

    /** @param strategy of the first attempt; a plan does not outlive the locations that it was made for */
    public SpanFetch fetch(Locations locations, MemoryBudget budget, long from, long to, ReadStrategy strategy) {
        return new SpanFetch(reads, owner, pending, config, locations, budget, from, to, strategy);
    }
}
