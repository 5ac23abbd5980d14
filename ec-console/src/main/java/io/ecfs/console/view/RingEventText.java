package io.ecfs.console.view;

import io.ecfs.message.report.ClusterEvent.RingChanged;
import io.ecfs.message.ring.RingSettings;
import io.ecfs.message.ring.RingVolume.Duty;
import io.ecfs.message.ring.RingVolumeChange;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Changes of rings, for people. */
final class RingEventText {
    private RingEventText() {}

    static String text(Locale locale, RingChanged event) {
        if (event.to().isEmpty()) {
            return "dropped";
        }
        RingSettings now = event.to().get();
        List<String> changes = new ArrayList<>();
        if (event.from().isEmpty()) {
            changes.add("made, " + now.writers() + " of " + now.colours() + " colours write");
            changes.add("a turn every " + seconds(locale, now.periodMillis()));
        } else {
            changes.addAll(settings(locale, event.from().get(), now));
        }
        event.volumes().forEach(volume -> changes.add(volume(volume)));
        if (event.moreVolumes() > 0) {
            changes.add(event.moreVolumes() + " more volumes");
        }
        return changes.isEmpty() ? "a new epoch" : String.join(", ", changes);
    }

    private static List<String> settings(Locale locale, RingSettings before, RingSettings now) {
        List<String> changes = new ArrayList<>();
        if (before.writers() != now.writers()) {
            changes.add(before.writers() + " -> " + now.writers() + " writers");
        }
        if (before.adaptive() != now.adaptive()) {
            changes.add(now.adaptive() ? "writers by demand" : "fixed writers");
        }
        if (before.periodMillis() != now.periodMillis()) {
            changes.add(
                    "period " + seconds(locale, before.periodMillis()) + " -> " + seconds(locale, now.periodMillis()));
        }
        if (before.paused() != now.paused()) {
            changes.add(now.paused() ? "paused" : "resumed");
        }
        if (before.dropping() != now.dropping()) {
            changes.add("is being dropped: its groups are moved off");
        }
        return changes;
    }

    private static String volume(RingVolumeChange change) {
        String colour = change.colour().map(c -> " in colour " + c).orElse("");
        return change.volume() + " "
                + change.from().map(RingEventText::word).orElse("new") + " -> "
                + change.to().map(RingEventText::word).orElse("gone") + colour;
    }

    private static String word(Duty duty) {
        return duty.name().toLowerCase(Locale.ROOT);
    }

    private static String seconds(Locale locale, long millis) {
        return String.format(locale, "%.1f s", millis / 1000.0);
    }
}
