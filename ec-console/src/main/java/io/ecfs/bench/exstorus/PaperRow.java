package io.ecfs.bench.exstorus;

import io.ecfs.console.forecast.WritePresets;
import io.ecfs.plan.write.CsvLines;
import io.ecfs.plan.write.WriteStep;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * One column of the paper's tables 1 to 3.
 *
 * @param seconds of the five steps, of {@value #RECORDS} records
 */
public record PaperRow(String table, double gigabits, long recordBytes, Map<WriteStep, Double> seconds) {
    /** Records of each measurement of the paper. */
    public static final int RECORDS = 50_000;

    /** Of its records, in bytes. */
    public static final int LONGEST = 131_072;

    private static final double MEGA = 1e6;
    private static final int STEPS_FROM = 3;
    private static final List<PaperRow> ALL = read();

    public PaperRow {
        Map<WriteStep, Double> copy = new EnumMap<>(WriteStep.class);
        copy.putAll(seconds);
        seconds = copy;
    }

    public static List<PaperRow> all() {
        return ALL;
    }

    private static List<PaperRow> read() {
        List<PaperRow> rows = new ArrayList<>();
        CsvLines.read(WritePresets.paperTables().lines().toList(), fields -> {
            CsvLines.requireFields(fields, "table,gigabits,record,CO,MP,PC,DD,SP");
            Map<WriteStep, Double> seconds = new EnumMap<>(WriteStep.class);
            int column = STEPS_FROM;
            for (WriteStep step : WriteStep.values()) {
                seconds.put(step, Double.valueOf(fields.get(column++)));
            }
            rows.add(new PaperRow(
                    fields.get(0), Double.parseDouble(fields.get(1)), Long.parseLong(fields.get(2)), seconds));
        });
        return List.copyOf(rows);
    }

    static List<PaperRow> of(String table) {
        return all().stream().filter(row -> row.table().equals(table)).toList();
    }

    static PaperRow of(String table, double gigabits, long recordBytes) {
        return of(table).stream()
                .filter(row -> row.gigabits() == gigabits && row.recordBytes() == recordBytes)
                .findFirst()
                .orElseThrow();
    }

    /** Seconds of all steps. */
    public double total() {
        return seconds.values().stream().mapToDouble(Double::doubleValue).sum();
    }

    /** MB/s (10^6 bytes). */
    public double rate() {
        return RECORDS * recordBytes / total() / MEGA;
    }

    /** Per cent of the whole. */
    double share(WriteStep step) {
        return 100 * seconds.get(step) / total();
    }
}
