package io.ecfs.bench.report;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializerProvider;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.module.SimpleModule;
import com.fasterxml.jackson.databind.ser.std.StdSerializer;
import io.ecfs.error.EcfsException;
import io.ecfs.error.ErrorCode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Figures in a file, one JSON object a line, each there as soon as it was measured. */
public final class FigureFile implements AutoCloseable {
    private static final int DECIMALS = 4;
    private static final ObjectMapper JSON = JsonMapper.builder()
            .addModule(new SimpleModule()
                    .addSerializer(Double.class, new Rounded())
                    .addSerializer(double.class, new Rounded()))
            .build();

    private final Path file;
    private final Writer writer;

    private FigureFile(Path file, Writer writer) {
        this.file = file;
        this.writer = writer;
    }

    /** Begins a new file, in place of one that is there. */
    public static FigureFile create(Path file) throws IOException {
        if (file.toAbsolutePath().getParent() != null) {
            Files.createDirectories(file.toAbsolutePath().getParent());
        }
        return new FigureFile(file, Files.newBufferedWriter(file));
    }

    public void add(Figure figure) {
        try {
            writer.write(JSON.writeValueAsString(figure) + "\n");
            writer.flush();
        } catch (IOException e) {
            throw new UncheckedIOException("cannot write " + file, e);
        }
    }

    /**
     * All figures of a file; lines that are no JSON object are skipped, as are the lines that say which coder ran. A
     * file that JMH wrote has its scores.
     *
     * @throws EcfsException {@code NOT_FOUND}, or {@code INVALID_ARGUMENT} when there is no figure in it
     */
    public static List<Figure> read(Path file) throws IOException {
        List<Figure> figures = new ArrayList<>();
        int number = 0;
        try {
            List<String> lines = Files.readAllLines(file);
            if (!lines.isEmpty() && lines.get(0).startsWith("[")) {
                return JmhResults.figures(JSON.readTree(String.join("\n", lines)));
            }
            for (String line : lines) {
                number++;
                if (line.startsWith("{")) {
                    Figure figure = JSON.readValue(line, Figure.class);
                    if (!figure.name().equals("coder")) {
                        figures.add(figure);
                    }
                }
            }
        } catch (NoSuchFileException e) {
            throw new EcfsException(ErrorCode.NOT_FOUND, "no such file: " + file, e);
        } catch (IllegalArgumentException e) {
            throw new EcfsException(
                    ErrorCode.INVALID_ARGUMENT, file + " is no list of JMH results: " + e.getMessage(), e);
        } catch (JsonProcessingException e) {
            throw new EcfsException(
                    ErrorCode.INVALID_ARGUMENT,
                    file + " line " + number + " is no figure {\"name\",\"value\",\"unit\",\"params\"}: "
                            + e.getOriginalMessage().lines().findFirst().orElse(""),
                    e);
        }
        if (figures.isEmpty()) {
            throw new EcfsException(
                    ErrorCode.INVALID_ARGUMENT, file + " holds no figure: 'ecfs bench --json FILE' writes them");
        }
        return figures;
    }

    @Override
    public void close() throws IOException {
        writer.close();
    }

    /** Four decimals are more than any of these numbers is worth. */
    private static final class Rounded extends StdSerializer<Double> {
        Rounded() {
            super(Double.class);
        }

        @Override
        public void serialize(Double value, JsonGenerator out, SerializerProvider unused) throws IOException {
            if (value.isNaN() || value.isInfinite()) {
                out.writeNumber(0);
                return;
            }
            out.writeNumber(BigDecimal.valueOf(value)
                    .setScale(DECIMALS, RoundingMode.HALF_EVEN)
                    .stripTrailingZeros()
                    .toPlainString());
        }
    }
}
