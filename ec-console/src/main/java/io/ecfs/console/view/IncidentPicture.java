package io.ecfs.console.view;

import io.ecfs.message.DatanodeId;
import io.ecfs.message.chunk.RebuildWork;
import io.ecfs.message.report.Incident;
import io.ecfs.message.report.RepairTrace;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * One incident for an operator: phases, sources, waiting chunks. Sums over all chunks, details of the first few.
 */
final class IncidentPicture {
    private static final int MOST_ROWS = 30;
    private static final int MOST_WAITING = 10;
    private static final int BAR = 30;

    /** Phases of the repair of a chunk. */
    private enum Phase {
        CHECKED("detected, then checked"),
        PLANNED("waiting for a target"),
        STARTED("order sent to the target"),
        READ("sources read"),
        DECODED("computed"),
        VERIFIED("computed again, or read back"),
        WRITTEN("written, forced to disk"),
        COMMITTED("reported, in the log");

        private final String text;

        Phase(String text) {
            this.text = text;
        }
    }

    private static final class Spent {
        double sum;
        double most;

        void add(double seconds) {
            sum += Math.max(0, seconds);
            most = Math.max(most, seconds);
        }
    }

    private static final class Read {
        long chunks;
        long bytes;
    }

    private final Incident incident;
    private final Map<Phase, Spent> phases = new EnumMap<>(Phase.class);
    private final TreeMap<DatanodeId, Read> sources = new TreeMap<>();
    private final List<RepairTrace> first = new ArrayList<>();
    private final List<RepairTrace> waiting = new ArrayList<>();
    private long chunks;
    private long waitingChunks;
    private long measured;

    IncidentPicture(Incident incident) {
        this.incident = incident;
        for (Phase phase : Phase.values()) {
            phases.put(phase, new Spent());
        }
    }

    void add(RepairTrace trace) {
        chunks++;
        if (first.size() < MOST_ROWS) {
            first.add(trace);
        }
        if (trace.committedMillis().isEmpty() && trace.waiting().isPresent()) {
            waitingChunks++;
            if (waiting.size() < MOST_WAITING) {
                waiting.add(trace);
            }
        }
        for (RebuildWork.Source source : trace.sources()) {
            Read read = sources.computeIfAbsent(source.datanode(), d -> new Read());
            read.chunks++;
            read.bytes += source.bytes();
        }
        measure(trace);
    }

    private void measure(RepairTrace trace) {
        if (trace.committedMillis().isEmpty() || trace.work().isEmpty()) {
            return;
        }
        measured++;
        RebuildWork work = trace.work().get();
        between(Phase.CHECKED, Optional.of(trace.detectedMillis()), trace.checkedMillis());
        between(Phase.PLANNED, trace.checkedMillis(), trace.plannedMillis());
        between(Phase.STARTED, trace.plannedMillis(), trace.startedMillis());
        phases.get(Phase.READ).add(work.read().busyMicros() / 1e6);
        phases.get(Phase.DECODED).add(work.decode().busyMicros() / 1e6);
        phases.get(Phase.VERIFIED).add(work.verify().busyMicros() / 1e6);
        phases.get(Phase.WRITTEN).add(work.write().busyMicros() / 1e6);
        between(Phase.COMMITTED, trace.writtenMillis(), trace.committedMillis());
    }

    private void between(Phase phase, Optional<Long> from, Optional<Long> to) {
        if (from.isPresent() && to.isPresent()) {
            phases.get(phase).add((to.get() - from.get()) / 1e3);
        }
    }

    void print(PrintWriter out) {
        head(out);
        phases(out);
        sources(out);
        chunks(out);
        waiting.forEach(trace -> out.println("waiting: chunk " + trace.index() + " of group " + trace.group() + ": "
                + trace.waiting().orElse("")));
        if (waitingChunks > waiting.size()) {
            out.println("and " + (waitingChunks - waiting.size()) + " more are waiting");
        }
    }

    private void head(PrintWriter out) {
        out.println("incident " + incident.id() + ": " + incident.cause().text());
        TextTable times = new TextTable("", "AT", "TOOK", "");
        if (incident.cause().planned()) {
            times.row("requested", Times.local(incident.deadMillis()), "", "planned: nothing is lost");
        } else {
            times.row("detected", Times.local(incident.detectedMillis()), "", "first detected");
            times.row(
                    "dead",
                    Times.local(incident.deadMillis()),
                    Times.seconds(Optional.of(incident.deadMillis() - incident.detectedMillis())),
                    "grace period");
        }
        times.row(
                "first repair",
                incident.firstRepairMillis().map(Times::local).orElse("-"),
                Times.seconds(incident.checkingMillis()),
                "time to first repair: nothing read yet" + share());
        times.row(
                incident.cause().planned() ? "ended" : "healed",
                incident.healedMillis().map(Times::local).orElse("not yet"),
                Times.seconds(incident.repairMillis()),
                "repair" + rate());
        out.println(times);
        out.println(incident.repaired() + " chunks reconstructed, " + incident.failed() + " attempts failed, "
                + TextTable.bytes(incident.bytesRead()) + " read, " + TextTable.bytes(incident.bytesRepaired())
                + " written");
        out.println();
    }

    private String share() {
        Optional<Long> checking = incident.checkingMillis();
        Optional<Long> repair = incident.repairMillis();
        if (checking.isEmpty() || repair.isEmpty() || checking.get() + repair.get() == 0) {
            return "";
        }
        double share = 100.0 * checking.get() / (checking.get() + repair.get());
        return String.format(
                Locale.ROOT,
                ", %.1f %% of the time from %s",
                share,
                incident.cause().planned() ? "requested to ended" : "dead to healed");
    }

    private String rate() {
        return incident.repairMillis()
                .filter(millis -> millis > 0)
                .map(millis -> ", " + TextTable.bytes(incident.bytesRepaired() * 1000 / millis) + "/s written")
                .orElse("");
    }

    private void phases(PrintWriter out) {
        if (measured == 0) {
            return;
        }
        double longest = phases.values().stream().mapToDouble(s -> s.sum).max().orElse(0);
        TextTable table = new TextTable("PHASE", "MEAN", "MAX", "", "");
        phases.forEach((phase, spent) -> table.row(
                phase.name().toLowerCase(Locale.ROOT),
                String.format(Locale.ROOT, "%.3f s", spent.sum / measured),
                String.format(Locale.ROOT, "%.3f s", spent.most),
                bar(longest == 0 ? 0 : spent.sum / longest),
                phase.text));
        out.println(table);
    }

    private static String bar(double share) {
        int full = (int) Math.ceil(share * BAR);
        return "#".repeat(full) + ".".repeat(BAR - full);
    }

    private void sources(PrintWriter out) {
        if (sources.isEmpty()) {
            return;
        }
        long most = sources.values().stream().mapToLong(r -> r.bytes).max().orElse(0);
        TextTable table = new TextTable("READ FROM", "CHUNKS", "BYTES", "");
        sources.forEach((datanode, read) -> table.row(
                datanode, read.chunks, TextTable.bytes(read.bytes), bar(most == 0 ? 0 : (double) read.bytes / most)));
        out.println(table);
    }

    private void chunks(PrintWriter out) {
        if (first.isEmpty()) {
            return;
        }
        TextTable table = new TextTable(
                "GROUP", "CHUNK", "STATE", "TARGET", "ATTEMPTS", "PLANNED", "STARTED", "COMMITTED", "SOURCES", "READ");
        for (RepairTrace t : first) {
            table.row(
                    "g" + t.group().value(),
                    t.index(),
                    state(t),
                    t.datanode().map(DatanodeId::name).orElse("-"),
                    t.attempts(),
                    sinceDead(t.plannedMillis()),
                    sinceDead(t.startedMillis()),
                    sinceDead(t.committedMillis()),
                    t.sources().size(),
                    TextTable.bytes(t.bytesRead()));
        }
        out.print(table);
        out.println("times count from '" + (incident.cause().planned() ? "requested" : "dead") + "'; " + first.size()
                + " of " + chunks + " chunks are shown, --json has "
                + (incident.attempts() > 0 && incident.traces() < incident.repaired()
                        ? incident.traces() + " of " + incident.repaired()
                        : "all"));
    }

    private static String state(RepairTrace trace) {
        if (trace.committedMillis().isPresent()) {
            return "committed";
        }
        return trace.waiting().isPresent() ? "waiting" : "planned";
    }

    private String sinceDead(Optional<Long> millis) {
        return millis.map(at -> String.format(Locale.ROOT, "+%.3f s", (at - incident.deadMillis()) / 1e3))
                .orElse("-");
    }
}
