package io.ecfs.bench.report;

import io.ecfs.layout.WriteSide;
import io.ecfs.message.report.WriteShare;
import io.ecfs.plan.write.WritePart;
import java.util.Collections;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.ToLongFunction;

/**
 * The time of a write in five steps, after Kim et al. (exa-scale storage, section 4), as {@code WriteTimes} of the
 * client measures it:
 *
 * <ul>
 *   <li>CO, client overhead: user bytes copied into cells and their checksums (client), calls to the namenode
 *       (namenode), the way to a datanode that relays and back (transfer),
 *   <li>MP, master process: what such a datanode does beside the other steps,
 *   <li>PC, parity calculation, by the client or by that datanode,
 *   <li>DD, data distribution: from sending a stripe to its last acknowledgement, without the slave's part,
 *   <li>SP, slave process: the handling of the datanode that answered last.
 * </ul>
 *
 * Each is added up over stripes and writers. Stripes overlap, so the sum may be longer than the run.
 *
 * @param relayed stripes that a datanode encoded
 * @param seconds of each part; 0 of one that is missing
 */
public record WriteSteps(long stripes, long relayed, Map<WritePart, Double> seconds) {
    /** Name of the parameter that holds them. */
    public static final String PARAM = "write_steps";

    private static final double NANOS = 1e9;

    /** The key of the namenode's time in records made before 2026-11-23. */
    private static final String NAMENODE_BEFORE = "master_s";

    public WriteSteps {
        Map<WritePart, Double> all = new EnumMap<>(WritePart.class);
        for (WritePart part : WritePart.values()) {
            all.put(part, seconds.getOrDefault(part, 0.0));
        }
        seconds = Collections.unmodifiableMap(all);
    }

    /** What the writes of one client took between two moments, whatever the policies. */
    public static WriteSteps between(List<WriteShare> before, List<WriteShare> after) {
        Map<WritePart, Double> seconds = new EnumMap<>(WritePart.class);
        for (WritePart part : WritePart.values()) {
            seconds.put(part, difference(before, after, share -> share.nanos(part)) / NANOS);
        }
        return new WriteSteps(
                difference(before, after, WriteShare::stripes),
                difference(before, after, share -> share.side() == WriteSide.MASTER ? share.stripes() : 0),
                seconds);
    }

    private static long difference(List<WriteShare> before, List<WriteShare> after, ToLongFunction<WriteShare> of) {
        return after.stream().mapToLong(of).sum()
                - before.stream().mapToLong(of).sum();
    }

    /** Empty for a figure of something that does not write. */
    static Optional<WriteSteps> of(Figure figure) {
        if (!(figure.params().get(PARAM) instanceof Map<?, ?> map)) {
            return Optional.empty();
        }
        Map<WritePart, Double> seconds = new EnumMap<>(WritePart.class);
        for (WritePart part : WritePart.values()) {
            seconds.put(part, number(map, member(part)));
        }
        if (!map.containsKey(member(WritePart.ASKING))) {
            seconds.put(WritePart.ASKING, number(map, NAMENODE_BEFORE));
        }
        return Optional.of(new WriteSteps((long) number(map, "stripes"), (long) number(map, "relayed"), seconds));
    }

    public Map<String, Object> members() {
        Map<String, Object> members = new LinkedHashMap<>();
        members.put("stripes", stripes);
        members.put("relayed", relayed);
        seconds.forEach((part, of) -> members.put(member(part), of));
        return members;
    }

    private static String member(WritePart part) {
        return part == WritePart.MANAGING ? "managing_s" : word(part) + "_s";
    }

    /** A part as tables and charts name it. */
    static String word(WritePart part) {
        return switch (part) {
            case COPYING -> "client";
            case ASKING -> "namenode";
            case TRANSFERRING -> "transfer";
            case MANAGING -> "master";
            case ENCODING -> "parity";
            case DISTRIBUTING -> "distribution";
            case SERVING -> "slave";
        };
    }

    double sum() {
        return seconds.values().stream().mapToDouble(Double::doubleValue).sum();
    }

    /** {@code 1.23 ms 40 %}: of one stripe, and of the sum. */
    String cell(WritePart part) {
        double whole = sum();
        double of = seconds.get(part);
        return Cells.number(stripes == 0 ? 0 : of * 1000 / stripes) + " ms "
                + Math.round(whole <= 0 ? 0 : 100 * of / whole) + " %";
    }

    private static double number(Map<?, ?> map, String member) {
        return map.get(member) instanceof Number number ? number.doubleValue() : 0;
    }
}
