package io.ecfs.console.command.option;

import io.ecfs.console.forecast.ForecastDefaults;
import io.ecfs.console.forecast.SampleFile;
import io.ecfs.console.forecast.WritePresets;
import io.ecfs.layout.WriteSide;
import io.ecfs.plan.write.Calibration;
import io.ecfs.plan.write.WriteConstants;
import io.ecfs.plan.write.WritePart;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import picocli.CommandLine.Option;

/** Options of every command that uses the cost model of writes. */
public final class WriteModelOptions {
    @Option(
            names = "--side",
            paramLabel = "SIDE",
            converter = SideName.class,
            description = "The side that encodes, client or master (default: both; of the paper's tables in simulated"
                    + " time master).")
    private WriteSide side;

    @Option(
            names = "--latency",
            paramLabel = "TIME",
            converter = TimeSpan.class,
            description = "Of one way on the network (default: " + ForecastDefaults.LATENCY_TEXT
                    + "; none with --hardware paper, whose constants include it).")
    private Duration latency;

    @Option(
            names = "--window",
            paramLabel = "N",
            description = "Stripes that a client has under way, the one being filled counted (default: as"
                    + " client.writeWindowStripes, and one).")
    private Integer window;

    @Option(
            names = "--hardware",
            paramLabel = "NAME",
            defaultValue = "ecfs",
            description = "Constants: ecfs, as measured; estimate, of machines of their own; paper, of Kim et al.'s"
                    + " servers (default: ${DEFAULT-VALUE}).")
    private WritePresets hardware;

    @Option(
            names = "--calibrate",
            paramLabel = "FILE",
            description = "Constants from measured writes, in microseconds; lines: " + SampleFile.HEAD)
    private Path samples;

    /** Empty: the command's usual one, or both. */
    public Optional<WriteSide> side() {
        return Optional.ofNullable(side);
    }

    /**
     * Nanoseconds of one way.
     *
     * @throws IllegalArgumentException when the constants include it and one is given
     */
    public long latencyNanos() {
        if (hardware.includesLatency()) {
            if (latency != null && !latency.isZero()) {
                throw new IllegalArgumentException("the constants of --hardware paper include the latency: leave"
                        + " --latency out, got " + latency.toNanos() + " ns; nearest is 0us");
            }
            return 0;
        }
        return latency != null ? latency.toNanos() : ForecastDefaults.LATENCY_NANOS;
    }

    public int window() {
        return window != null ? window : ForecastDefaults.window();
    }

    /** What is known of the hardware, and by how much calibrated parts miss their rows at most, 0.1 for 10 per cent. */
    public record Hardware(WriteConstants constants, Map<WritePart, Double> worst) {}

    public Hardware hardware() throws IOException {
        if (samples == null) {
            return new Hardware(hardware.constants(), Map.of());
        }
        Calibration calibration = Calibration.of(SampleFile.read(samples, latencyNanos()), hardware.constants());
        return new Hardware(calibration.constants(), calibration.worst());
    }

    /** {@code ecfs calibrated by writes.csv}. */
    public String hardwareText() {
        return hardware.name().toLowerCase(Locale.ROOT) + (samples == null ? "" : " calibrated by " + samples);
    }
}
