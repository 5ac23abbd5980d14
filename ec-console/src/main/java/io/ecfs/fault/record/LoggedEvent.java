package io.ecfs.fault.record;

import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.format.DateTimeParseException;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A line of a daemon's log with a class.
 *
 * @param millis since the epoch
 * @param text of the line from {@code event=} on
 */
public record LoggedEvent(long millis, String daemon, EventClass kind, String name, String text) {
    private static final Pattern LINE =
            Pattern.compile("(?<time>\\d{4}-\\d\\d-\\d\\dT[\\d:.]{12}) .*?(?<text>event=(?<name>[a-z_]+).*)");

    public LoggedEvent {
        Objects.requireNonNull(daemon, "daemon");
        Objects.requireNonNull(kind, "kind");
        Objects.requireNonNull(name, "name");
        Objects.requireNonNull(text, "text");
    }

    /** Reads a line; empty for one without an event, or of {@link EventClass#NOISE}. */
    static Optional<LoggedEvent> parse(String daemon, String line) {
        Matcher matcher = LINE.matcher(line);
        if (!matcher.matches()) {
            return Optional.empty();
        }
        String name = matcher.group("name");
        return EventClass.of(name)
                .filter(kind -> kind != EventClass.NOISE)
                .flatMap(kind -> millis(matcher.group("time"))
                        .map(millis -> new LoggedEvent(millis, daemon, kind, name, matcher.group("text"))));
    }

    /** Logs have the machine's local time. */
    private static Optional<Long> millis(String time) {
        try {
            return Optional.of(LocalDateTime.parse(time)
                    .atZone(ZoneId.systemDefault())
                    .toInstant()
                    .toEpochMilli());
        } catch (DateTimeParseException torn) {
            return Optional.empty();
        }
    }
}
