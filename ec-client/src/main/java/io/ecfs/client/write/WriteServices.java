package io.ecfs.client.write;

import io.ecfs.buffer.BufferPool;
import io.ecfs.buffer.MemoryBudget;
import io.ecfs.client.base.ClientConfig;
import io.ecfs.client.base.NamenodeCaller;
import io.ecfs.client.base.Pending;
import io.ecfs.client.base.RequestIds;
import io.ecfs.client.base.WriteReports;
import io.ecfs.client.health.DatanodeHealth;
import io.ecfs.client.read.span.GroupReader;
import io.ecfs.client.write.route.StripeRoutes;
import io.ecfs.code.construction.Codes;
import io.ecfs.env.Clock;
import io.ecfs.env.Randomness;
import io.ecfs.env.Scheduler;
import io.ecfs.env.Workers;
import io.ecfs.layout.Policy;
import io.ecfs.stripe.Stripe;
import io.ecfs.stripe.write.WriteTimes;
import io.ecfs.transfer.ChunkClient;

/**
 * What all writers of one client share.
 *
 * @param owner the thread that owns the state of every writer
 * @param codecs where the stripes of a rewrite are encoded
 * @param budget of all open writers; a stripe is reserved here before its first cell is lent
 * @param pool lends the cells
 * @param rewritePermit one stripe of a rewrite may be in memory at a time; its cells come from {@code rewritePool}
 * @param reads reads the groups of a rewrite
 * @param health of the datanodes; writers exclude those that failed one of them recently
 * @param times records where the time goes
 * @param routes chooses the way of each group's stripes
 * @param reports tells namenodes of the times
 */
public record WriteServices(
        ChunkClient chunks,
        NamenodeCaller namenode,
        RequestIds requests,
        Codes codes,
        Scheduler owner,
        Clock clock,
        Pending pending,
        Workers codecs,
        Randomness randomness,
        MemoryBudget budget,
        BufferPool pool,
        MemoryBudget rewritePermit,
        BufferPool rewritePool,
        GroupReader reads,
        DatanodeHealth health,
        WriteTimes times,
        StripeRoutes routes,
        WriteReports reports,
        ClientConfig config) {
    /** Memory of one writer beside its stripes under way, in stripes: the open one, and what is recorded of it. */
    private static final int OPEN_STRIPES = 2;

    /**
     * The same with memory for the stripes of one writer alone.
     *
     * @param name of the memory
     * @param cells lends the cells
     */
    public WriteServices forOne(String name, Policy policy, BufferPool cells) {
        long bytes = (config.writeWindowStripes() + OPEN_STRIPES) * Stripe.memoryBytes(policy);
        return with(new MemoryBudget(name, bytes), cells);
    }

    private WriteServices with(MemoryBudget stripes, BufferPool cells) {
        return new WriteServices(
                chunks,
                namenode,
                requests,
                codes,
                owner,
                clock,
                pending,
                codecs,
                randomness,
                stripes,
                cells,
                rewritePermit,
                rewritePool,
                reads,
                health,
                times,
                routes,
                reports,
                config);
    }
}
