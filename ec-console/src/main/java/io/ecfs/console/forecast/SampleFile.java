package io.ecfs.console.forecast;

import io.ecfs.config.Sizes;
import io.ecfs.error.EcfsException;
import io.ecfs.error.ErrorCode;
import io.ecfs.layout.Policy;
import io.ecfs.layout.WriteSide;
import io.ecfs.plan.write.CsvLines;
import io.ecfs.plan.write.Network;
import io.ecfs.plan.write.WritePart;
import io.ecfs.plan.write.WriteSample;
import io.ecfs.plan.write.WriteShape;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Measured writes in a file, a line each: {@value #HEAD}. The times are microseconds of one write of {@code record}
 * bytes in files of {@code file} bytes; an empty one was not measured. {@code network} is a speed such as {@code 10g},
 * or {@code -} where no link was waited for. {@code #} begins a comment.
 */
public final class SampleFile {
    /** The line with the names of the columns. */
    public static final String HEAD =
            "side,k,m,cell,record,file,network,copying,asking,transferring,managing,encoding,distributing,serving";

    private static final int TIMES_FROM = 7;
    private static final double NANOS_OF_MICRO = 1000;
    private static final String NO_NETWORK = "-";

    private SampleFile() {}

    /**
     * Reads all of them.
     *
     * @param latencyNanos of one way on the networks of the samples
     * @throws EcfsException {@code NOT_FOUND}, or {@code INVALID_ARGUMENT} in one line with the number of the bad one
     */
    public static List<WriteSample> read(Path file, long latencyNanos) throws IOException {
        try {
            return parse(file.toString(), Files.readAllLines(file), latencyNanos);
        } catch (NoSuchFileException e) {
            throw new EcfsException(ErrorCode.NOT_FOUND, "no such file: " + file, e);
        }
    }

    /** The line of a measured write. */
    public static String line(WriteSample sample) {
        WriteShape shape = sample.shape();
        double bytesPerSecond = sample.network().bytesPerSecond();
        List<String> words = new ArrayList<>(List.of(
                shape.side().text(),
                String.valueOf(shape.dataChunks()),
                String.valueOf(shape.parityChunks()),
                String.valueOf(shape.cellBytes()),
                String.valueOf(shape.recordBytes()),
                String.valueOf(shape.fileBytes()),
                Double.isInfinite(bytesPerSecond)
                        ? NO_NETWORK
                        : NetworkSpeed.text(bytesPerSecond / NetworkSpeed.BYTES_OF_GIGABIT)));
        for (WritePart part : WritePart.values()) {
            Double nanos = sample.nanos().get(part);
            words.add(nanos == null ? "" : String.format(Locale.ROOT, "%.1f", nanos / NANOS_OF_MICRO));
        }
        return String.join(",", words);
    }

    /** As {@link #read} from lines; {@code source} names them in errors. */
    static List<WriteSample> parse(String source, List<String> lines, long latencyNanos) throws EcfsException {
        List<WriteSample> samples = new ArrayList<>();
        try {
            CsvLines.read(lines, fields -> {
                if (!String.join(",", fields).equals(HEAD)) {
                    samples.add(sample(fields, latencyNanos));
                }
            });
        } catch (IllegalArgumentException e) {
            throw new EcfsException(
                    ErrorCode.INVALID_ARGUMENT, source + " has no measured write in " + e.getMessage(), e);
        }
        if (samples.isEmpty()) {
            throw new EcfsException(
                    ErrorCode.INVALID_ARGUMENT, source + " has no measured write; its lines are " + HEAD);
        }
        return samples;
    }

    private static WriteSample sample(List<String> fields, long latencyNanos) {
        CsvLines.requireFields(fields, HEAD);
        WriteSide side = WriteSide.of(fields.get(0).toLowerCase(Locale.ROOT))
                .orElseThrow(
                        () -> new IllegalArgumentException("a side is client or master, got '" + fields.get(0) + "'"));
        int k = Integer.parseInt(fields.get(1));
        WriteShape shape = new WriteShape(
                side,
                k,
                Integer.parseInt(fields.get(2)),
                Sizes.bytes(fields.get(3)),
                Sizes.bytes(fields.get(4)),
                Sizes.bytes(fields.get(5)),
                Policy.MAX_CHUNK_BYTES * k);
        Network network = fields.get(6).equals(NO_NETWORK)
                ? new Network(Double.POSITIVE_INFINITY, 0)
                : Network.ofGigabits(NetworkSpeed.gigabits(fields.get(6)), latencyNanos);
        Map<WritePart, Double> nanos = new EnumMap<>(WritePart.class);
        int column = TIMES_FROM;
        for (WritePart part : WritePart.values()) {
            String time = fields.get(column++);
            if (!time.isEmpty()) {
                nanos.put(part, Double.parseDouble(time) * NANOS_OF_MICRO);
            }
        }
        return new WriteSample(shape, network, nanos);
    }
}
