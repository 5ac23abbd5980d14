package io.ecfs.client.read;

import io.ecfs.buffer.BufferPool;
import io.ecfs.client.access.AccessRecorder;
import io.ecfs.client.access.MeasuredCosts;
import io.ecfs.client.access.ReadPlans;
import io.ecfs.client.base.ChunkSource;
import io.ecfs.client.base.ClientConfig;
import io.ecfs.client.base.Codes;
import io.ecfs.client.base.Pending;
import io.ecfs.client.plan.AccessPlanner;
import io.ecfs.env.Clock;
import io.ecfs.env.Scheduler;
import io.ecfs.env.Workers;
import io.ecfs.transfer.ChunkClient;

/**
 * What all reads of one client share.
 *
 * @param datanodes typed calls to them
 * @param chunks where the bytes of chunks come from
 * @param owner the thread that owns the state of every read
 * @param decoders where bytes are decoded
 * @param hedging when a chunk is late, and who is slow
 * @param costs what reading from each volume costs
 * @param plans which chunks to read for several blocks together
 * @param accesses is told which blocks are read together
 * @param times where the time of reads of several blocks goes
 * @param watch looks for late chunks
 * @param pending has the answers that are not there yet
 * @param scratch lends memory for decoded and padded bytes; it counts, what bounds it is the budget that each span
 *     reserves from
 */
public record ReadServices(
        ChunkClient datanodes,
        ChunkSource chunks,
        Codes codes,
        AccessPlanner planner,
        Scheduler owner,
        Pending pending,
        Workers decoders,
        Clock clock,
        BufferPool scratch,
        SuspectDatanodes suspects,
        Hedging hedging,
        MeasuredCosts costs,
        ReadPlans plans,
        AccessRecorder accesses,
        ReadTimes times,
        HedgeTimer watch,
        BadChunkReports badChunks,
        ClientConfig config) {}
