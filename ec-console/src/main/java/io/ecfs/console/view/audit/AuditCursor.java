package io.ecfs.console.view.audit;

import io.ecfs.error.EcfsException;
import io.ecfs.error.ErrorCode;
import io.ecfs.message.report.AuditPlace;
import java.util.Collections;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * Where to go on in the audit logs of several namenodes: {@code nn0=FILE.OFFSET,nn1=start}.
 *
 * @param places namenode → the place to go on from; empty: from its latest line
 */
record AuditCursor(Map<String, Optional<AuditPlace>> places) {
    private static final String START = "start";

    AuditCursor {
        places = Collections.unmodifiableMap(new TreeMap<>(places));
    }

    /** @throws EcfsException {@code INVALID_ARGUMENT} for what no page gave */
    static AuditCursor parse(String text) throws EcfsException {
        Map<String, Optional<AuditPlace>> places = new TreeMap<>();
        try {
            for (String one : text.isEmpty() ? new String[0] : text.split(",", -1)) {
                int equals = one.lastIndexOf('=');
                places.put(one.substring(0, equals), parsePlace(one.substring(equals + 1)));
            }
        } catch (IllegalArgumentException | StringIndexOutOfBoundsException e) {
            throw new EcfsException(ErrorCode.INVALID_ARGUMENT, "no page of the audit log gave '" + text + "'", e);
        }
        return new AuditCursor(places);
    }

    private static Optional<AuditPlace> parsePlace(String text) {
        if (text.equals(START)) {
            return Optional.empty();
        }
        int dot = text.indexOf('.');
        return Optional.of(
                new AuditPlace(Long.parseLong(text.substring(0, dot)), Long.parseLong(text.substring(dot + 1))));
    }

    /** True for a namenode that has more. */
    boolean has(String namenode) {
        return places.containsKey(namenode);
    }

    /** Where to go on in a namenode's log; empty: from its latest line. */
    Optional<AuditPlace> place(String namenode) {
        return places.getOrDefault(namenode, Optional.empty());
    }

    /** As {@link #parse} reads it; empty when no namenode has more. */
    Optional<String> text() {
        return places.isEmpty()
                ? Optional.empty()
                : Optional.of(places.entrySet().stream()
                        .map(one -> one.getKey() + "="
                                + one.getValue()
                                        .map(place -> place.file() + "." + place.offset())
                                        .orElse(START))
                        .collect(Collectors.joining(",")));
    }
}
