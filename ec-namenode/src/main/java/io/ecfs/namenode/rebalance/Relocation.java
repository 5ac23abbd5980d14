package io.ecfs.namenode.rebalance;

import io.ecfs.layout.GroupId;
import io.ecfs.message.DatanodeId;

/**
 * A chunk to move, and the expected gain (ec-store paper: b, S_s, S_d and equation 8).
 * @param access E: cost of reads before less after, in units of which a request for one chunk costs 6
 * @param balance I: load factor of the worse of both datanodes before less after
 * @param gain Delta = w1 E + w2 I
 * @param error standard error of the gain, which is estimated from few requests
 * @param loadMoved part of the mean load that goes from one to the other
 * @param worseBefore Omega(C, S_s, S_d): how far the worse of both was from the mean load
 */
public record Relocation(
        GroupId group,
        int index,
        DatanodeId from,
        DatanodeId to,
        long bytes,
        double access,
        double balance,
        double gain,
        double error,
        double loadMoved,
        double worseBefore) {}
