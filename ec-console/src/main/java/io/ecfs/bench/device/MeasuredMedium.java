package io.ecfs.bench.device;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.ecfs.bench.bed.Device;
import io.ecfs.bench.bed.erails.FlashDevice;
import io.ecfs.bench.bed.erails.RingMedia;
import io.ecfs.error.EcfsException;
import io.ecfs.error.ErrorCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.OptionalDouble;

/**
 * A device that was measured, as a file of JSON for beds.
 *
 * @param name where it was measured
 */
public record MeasuredMedium(String name, FlashDevice fitted) implements RingMedia {
    private static final JsonMapper JSON = JsonMapper.builder().build();
    private static final Duration TURN = Duration.ofSeconds(10);

    /** @throws EcfsException {@code NOT_FOUND}, or {@code INVALID_ARGUMENT} when it is no such file */
    public static MeasuredMedium read(Path file) throws IOException {
        try {
            Map<?, ?> values = JSON.readValue(Files.readString(file), Map.class);
            return new MeasuredMedium(
                    String.valueOf(values.get("name")),
                    new FlashDevice(
                            new Device(whole(values, "read_overhead_ns"), whole(values, "read_bytes_per_s")),
                            new Device(whole(values, "write_overhead_ns"), whole(values, "write_bytes_per_s")),
                            number(values, "lost_share"),
                            number(values, "stall_share"),
                            whole(values, "least_stall_ns"),
                            whole(values, "most_stall_ns"),
                            whole(values, "after_ns")));
        } catch (NoSuchFileException e) {
            throw new EcfsException(ErrorCode.NOT_FOUND, "no such file: " + file, e);
        } catch (JsonProcessingException | IllegalArgumentException e) {
            throw new EcfsException(
                    ErrorCode.INVALID_ARGUMENT,
                    file + " is no file of 'ecfs bench device': "
                            + e.getMessage().lines().findFirst().orElse(""),
                    e);
        }
    }

    private static double number(Map<?, ?> values, String name) {
        if (values.get(name) instanceof Number number) {
            return number.doubleValue();
        }
        throw new IllegalArgumentException("no number " + name);
    }

    private static long whole(Map<?, ?> values, String name) {
        return Math.round(number(values, name));
    }

    public void write(Path file) throws IOException {
        Map<String, Object> values = new LinkedHashMap<>();
        values.put("name", name);
        values.put("read_overhead_ns", fitted.reads().overheadNanos());
        values.put("read_bytes_per_s", fitted.reads().bytesPerSecond());
        values.put("write_overhead_ns", fitted.writes().overheadNanos());
        values.put("write_bytes_per_s", fitted.writes().bytesPerSecond());
        values.put("lost_share", fitted.lostShare());
        values.put("stall_share", fitted.stallShare());
        values.put("least_stall_ns", fitted.leastStallNanos());
        values.put("most_stall_ns", fitted.mostStallNanos());
        values.put("after_ns", fitted.afterNanos());
        Files.writeString(file, JSON.writerWithDefaultPrettyPrinter().writeValueAsString(values) + "\n");
    }

    @Override
    public String word() {
        return name;
    }

    @Override
    public Duration turn() {
        return TURN;
    }

    @Override
    public FlashDevice device(OptionalDouble interference, long bytes) {
        return interference.isEmpty() ? fitted : fitted.withInterference(interference.getAsDouble(), bytes);
    }
}
