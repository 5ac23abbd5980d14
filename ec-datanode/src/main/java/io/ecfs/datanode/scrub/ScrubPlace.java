package io.ecfs.datanode.scrub;

import io.ecfs.layout.ChunkId;
import io.ecfs.layout.GroupId;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Progress of the scrub of a volume, as stored on the volume.
 *
 * @param round 1 for the first
 * @param began milliseconds since the epoch, of this round
 * @param after the last chunk that was scanned; empty at the beginning of a round
 */
record ScrubPlace(long round, long began, Optional<ChunkId> after) {
    static ScrubPlace first(long now) {
        return new ScrubPlace(1, now, Optional.empty());
    }

    ScrubPlace behind(ChunkId chunk) {
        return new ScrubPlace(round, began, Optional.of(chunk));
    }

    ScrubPlace nextRound(long now) {
        return new ScrubPlace(round + 1, now, Optional.empty());
    }

    Map<String, String> values() {
        Map<String, String> values = new LinkedHashMap<>();
        values.put("round", Long.toString(round));
        values.put("began", Long.toString(began));
        after.ifPresent(chunk -> {
            values.put("group", Long.toString(chunk.group().value()));
            values.put("index", Integer.toString(chunk.index()));
            values.put("generation", Integer.toString(chunk.generation()));
        });
        return values;
    }

    /** @throws IllegalArgumentException when they are not what {@link #values} gives */
    static ScrubPlace of(Map<String, String> values) {
        Optional<ChunkId> after = values.containsKey("group")
                ? Optional.of(new ChunkId(
                        new GroupId(Long.parseLong(values.get("group"))),
                        Integer.parseInt(values.get("index")),
                        Integer.parseInt(values.get("generation"))))
                : Optional.empty();
        return new ScrubPlace(Long.parseLong(values.get("round")), Long.parseLong(values.get("began")), after);
    }
}
