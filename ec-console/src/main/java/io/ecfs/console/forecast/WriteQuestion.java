package io.ecfs.console.forecast;

import io.ecfs.layout.GroupLayout;
import io.ecfs.layout.Policy;
import io.ecfs.layout.WriteSide;
import io.ecfs.plan.write.Network;
import io.ecfs.plan.write.WriteConstants;
import io.ecfs.plan.write.WriteCost;
import io.ecfs.plan.write.WriteForecast;
import io.ecfs.plan.write.WriteShape;
import io.ecfs.plan.write.WriteSystem;

/**
 * Files written by many clients, for a forecast of both sides; validated by the constructor.
 *
 * @param fileBytes of each file
 * @param recordBytes of one write; files of less than a record are one write
 */
public record WriteQuestion(Policy policy, Network network, WriteSystem system, long fileBytes, long recordBytes) {
    public WriteQuestion {
        if (fileBytes < 1) {
            throw new IllegalArgumentException("a file has bytes, got " + fileBytes + "; nearest is 1");
        }
        int window = Policy.CHECKSUM_WINDOW_BYTES;
        if (recordBytes < window || recordBytes % window != 0) {
            throw new IllegalArgumentException(
                    "a record is a multiple of 4k, got " + recordBytes + " bytes; nearest is "
                            + Math.max(1, Math.round(recordBytes / (double) window)) * (window / 1024) + "k");
        }
        if (policy.chunks() > system.datanodes()) {
            throw new IllegalArgumentException("policy " + policy + " needs k + m = " + policy.chunks()
                    + " datanodes, got " + system.datanodes() + "; nearest is " + policy.chunks());
        }
    }

    /** The write by one of the sides. */
    public WriteForecast forecast(WriteSide side, WriteConstants constants) {
        long record = Math.min(recordBytes, fileBytes);
        long cell = fileBytes < policy.stripeBytes()
                ? Math.max(1, GroupLayout.tailCellBytes(policy, fileBytes))
                : policy.cellBytes();
        WriteShape shape = new WriteShape(
                side, policy.dataChunks(), policy.parityChunks(), cell, record, fileBytes, policy.groupBytes());
        return new WriteForecast(new WriteCost(constants, shape, network), system);
    }
}
