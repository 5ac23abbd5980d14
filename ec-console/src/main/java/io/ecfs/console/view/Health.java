package io.ecfs.console.view;

import io.ecfs.message.AdminState;
import io.ecfs.message.VolumeState;
import io.ecfs.message.report.ClusterReport;
import io.ecfs.message.report.ClusterReport.Datanode;
import io.ecfs.message.report.ClusterReport.DatanodeState;
import io.ecfs.message.report.ClusterReport.Drain;
import io.ecfs.message.report.ClusterReport.Groups;
import io.ecfs.message.report.ClusterReport.Namenode;
import io.ecfs.message.report.ClusterReport.Role;
import io.ecfs.message.report.ClusterReport.Volume;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;

/**
 * One verdict on a cluster, with its reasons, as Ceph's {@code health} has it. It follows from the report alone, so
 * that the console, its API and {@code ecfs admin report} never disagree.
 *
 * @param level that of the worst reason; OK without one
 * @param reasons the worst first, at most {@value #MOST_REASONS}
 */
public record Health(Level level, List<Reason> reasons) {
    static final int MOST_REASONS = 50;

    /** Shares of the space of the volumes in service, from which on the space is a reason. */
    private static final double NEARLY_FULL = 0.85;

    private static final double FULL = 0.95;

    /** In the order of severity. */
    public enum Level {
        OK,
        WARNING,
        CRITICAL;

        /** For a person: {@code OK}, {@code Warning}, {@code Critical}. */
        public String text() {
            return this == OK ? "OK" : name().charAt(0) + name().substring(1).toLowerCase(Locale.ROOT);
        }
    }

    /** @param page of the console that shows more about it */
    public record Reason(Level level, String text, String page) {}

    public Health {
        reasons = List.copyOf(reasons);
    }

    /** Of a cluster whose namenodes do not answer. */
    public static Health unreachable(String why) {
        return new Health(
                Level.CRITICAL, List.of(new Reason(Level.CRITICAL, "the namenodes do not answer: " + why, "overview")));
    }

    public static Health of(ClusterReport report) {
        List<Reason> found = new ArrayList<>();
        namenodes(found, report);
        groups(found, report);
        report.datanodes().forEach(datanode -> datanode(found, datanode));
        if (report.datanodes().stream().allMatch(datanode -> datanode.state() == DatanodeState.DEAD)) {
            critical(found, "no datanode is alive", "datanodes");
        }
        space(found, report);
        found.sort(Comparator.comparing(Reason::level).reversed());
        Level level = found.isEmpty() ? Level.OK : found.get(0).level();
        return new Health(level, found.subList(0, Math.min(MOST_REASONS, found.size())));
    }

    private static void namenodes(List<Reason> found, ClusterReport report) {
        if (report.namenodes().stream().noneMatch(namenode -> namenode.role() == Role.LEADER)) {
            critical(found, "the namenodes have no leader", "events");
        }
        if (report.safeMode()) {
            critical(found, "safe mode, writes are rejected: " + report.safeModeReason(), "events");
        }
        for (Namenode namenode : report.namenodes()) {
            if (namenode.role() == Role.UNREACHABLE) {
                warning(found, "namenode " + namenode.id() + " is unreachable", "overview");
            }
        }
    }

    private static void groups(List<Reason> found, ClusterReport report) {
        Groups groups = report.groups();
        if (groups.lost() > 0) {
            critical(found, count(groups.lost(), "group is", "groups are") + " unavailable", "recovery");
        }
        long bare = bare(report);
        if (bare > 0) {
            critical(found, count(bare, "group tolerates", "groups tolerate") + " no further loss", "recovery");
        }
        if (groups.degraded() > bare) {
            warning(found, count(groups.degraded() - bare, "group has", "groups have") + " missing chunks", "recovery");
        }
    }

    /** True while a group is unavailable, or tolerates no further loss. */
    public static boolean atRisk(ClusterReport report) {
        return report.groups().lost() > 0 || bare(report) > 0;
    }

    /** Groups that tolerate no further loss. */
    private static long bare(ClusterReport report) {
        return report.degradedBySpare()
                .filter(counts -> !counts.isEmpty())
                .map(counts -> counts.get(0))
                .orElse(0L);
    }

    private static void datanode(List<Reason> found, Datanode datanode) {
        boolean inService = datanode.duty().state() == AdminState.State.IN_SERVICE;
        if (datanode.state() != DatanodeState.HEALTHY && inService) {
            String state = datanode.state().name().toLowerCase(Locale.ROOT);
            warning(found, "datanode " + datanode.id() + " is " + state, "datanodes");
        }
        for (Volume volume : datanode.volumes()) {
            if (volume.state() != VolumeState.HEALTHY && datanode.state() != DatanodeState.DEAD) {
                String state = volume.state().name().toLowerCase(Locale.ROOT).replace('_', ' ');
                warning(found, "volume " + volume.id() + " of " + datanode.id() + " is " + state, "datanodes");
            }
        }
        datanode.drain()
                .flatMap(Drain::waiting)
                .ifPresent(why -> warning(
                        found, "the decommission of datanode " + datanode.id() + " waits: " + why, "datanodes"));
    }

    private static void space(List<Reason> found, ClusterReport report) {
        long used = 0;
        long free = 0;
        for (Datanode datanode : report.datanodes()) {
            for (Volume volume : datanode.volumes()) {
                if (inService(datanode, volume)) {
                    used += volume.usedBytes();
                    free += volume.freeBytes();
                }
            }
        }
        double share = used + free == 0 ? 0 : (double) used / (used + free);
        if (share >= NEARLY_FULL) {
            Level level = share >= FULL ? Level.CRITICAL : Level.WARNING;
            String text = String.format(
                    Locale.ROOT,
                    "%.0f %% of the space for chunks is used, %s is free",
                    share * 100,
                    TextTable.bytes(free));
            found.add(new Reason(level, text, "migrations"));
        }
    }

    /** Returns whether a writer may be given chunks there, now or as soon as there is room. */
    private static boolean inService(Datanode datanode, Volume volume) {
        return datanode.state() != DatanodeState.DEAD
                && datanode.duty().state() == AdminState.State.IN_SERVICE
                && (volume.state() == VolumeState.HEALTHY || volume.state() == VolumeState.FULL);
    }

    private static void critical(List<Reason> found, String text, String page) {
        found.add(new Reason(Level.CRITICAL, text, page));
    }

    private static void warning(List<Reason> found, String text, String page) {
        found.add(new Reason(Level.WARNING, text, page));
    }

    private static String count(long count, String one, String several) {
        return count + " " + (count == 1 ? one : several);
    }
}
