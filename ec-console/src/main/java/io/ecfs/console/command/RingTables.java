package io.ecfs.console.command;

import io.ecfs.console.view.TextTable;
import io.ecfs.message.ring.ReadTimes;
import io.ecfs.message.ring.RingState;
import io.ecfs.message.ring.RingVolume;
import io.ecfs.message.ring.RingVolumeStatus;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** Rings for people. */
final class RingTables {
    private RingTables() {}

    static void list(PrintWriter out, List<RingState> rings) {
        TextTable table = new TextTable(
                "RING", "EPOCH", "COLOURS", "WRITERS", "PERIOD", "VOLUMES", "SPARES", "GROUPS", "DIRS", "");
        for (RingState ring : rings) {
            table.row(
                    ring.name(),
                    ring.epoch(),
                    ring.colours(),
                    ring.writers() + (ring.adaptive() ? " (auto)" : ""),
                    seconds(ring.periodMillis()),
                    with(ring, RingVolume.Duty.ACTIVE),
                    with(ring, RingVolume.Duty.SPARE),
                    ring.groups(),
                    ring.directories(),
                    mood(ring));
        }
        out.print(table);
    }

    private static long with(RingState ring, RingVolume.Duty duty) {
        return ring.volumes().stream().filter(volume -> volume.duty() == duty).count();
    }

    private static String mood(RingState ring) {
        return ring.dropping() ? "being dropped" : ring.paused() ? "paused" : "";
    }

    static void status(PrintWriter out, RingState ring) {
        list(out, List.of(ring));
        if (ring.dropping()) {
            out.println("groups move to volumes of no ring; 'ecfs ring drop " + ring.name()
                    + " --in-place' leaves them where they are");
        }
        ring.waiting().ifPresent(why -> out.println("waits: " + why));
        if (!ring.paused()) {
            out.println("position " + ring.position() + " of " + ring.colours() + ", next turn in "
                    + seconds(ring.millisToMove()));
        }
        out.println("groups by the most writers that they tolerate: " + tolerated(ring));
        TextTable table = new TextTable(
                "VOLUME",
                "DATANODE",
                "DIRECTORY",
                "COLOUR",
                "DUTY",
                "STATE",
                "ROLE",
                "STAGED",
                "SPILLS",
                "READS P50/P99",
                "WRITING P50/P99");
        for (RingVolume volume : ring.volumes()) {
            Optional<RingVolumeStatus> status = volume.status();
            table.row(
                    volume.volume(),
                    volume.datanode(),
                    volume.directory().orElse("?"),
                    volume.colour().map(String::valueOf).orElse("-"),
                    lower(volume.duty()),
                    volume.state().map(RingTables::lower).orElse("not reported"),
                    status.map(s -> lower(s.role())).orElseGet(() -> unreported(ring, volume)),
                    status.map(s -> TextTable.bytes(s.stagedBytes())).orElse("-"),
                    status.map(s -> String.valueOf(s.spills().values().stream()
                                    .mapToLong(Long::longValue)
                                    .sum()))
                            .orElse("-"),
                    times(status.map(RingVolumeStatus::reading)),
                    times(status.map(RingVolumeStatus::writing)));
        }
        out.print(table);
    }

    private static String times(Optional<ReadTimes> reads) {
        return reads.filter(ReadTimes::known)
                .map(known ->
                        String.format(Locale.ROOT, "%.1f/%.1f ms", known.p50Micros() / 1e3, known.p99Micros() / 1e3))
                .orElse("-");
    }

    /** Of a volume whose datanode does not report its role: by the leader's clock, unless it follows none. */
    private static String unreported(RingState ring, RingVolume volume) {
        if (volume.journal().equals(Optional.of(false))) {
            return "no journal";
        }
        return volume.colour()
                .map(colour -> ring.shape().writes(colour, ring.position()) ? "(writing)" : "(reading)")
                .orElse("-");
    }

    private static String tolerated(RingState ring) {
        List<String> parts = new ArrayList<>();
        for (int most = 0; most < ring.groupsByMostWriters().size(); most++) {
            long groups = ring.groupsByMostWriters().get(most);
            if (groups > 0) {
                parts.add(most + ": " + groups);
            }
        }
        return parts.isEmpty() ? "none" : String.join(", ", parts);
    }

    private static String lower(Enum<?> value) {
        return value.name().toLowerCase(Locale.ROOT).replace('_', ' ');
    }

    private static String seconds(long millis) {
        return String.format(Locale.ROOT, "%.1f s", millis / 1000.0);
    }
}
