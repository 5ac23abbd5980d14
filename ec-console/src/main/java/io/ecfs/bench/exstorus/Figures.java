package io.ecfs.bench.exstorus;

import io.ecfs.bench.report.Figure;
import io.ecfs.console.forecast.NetworkSpeed;
import io.ecfs.layout.WriteSide;
import io.ecfs.plan.write.WriteStep;
import java.util.LinkedHashMap;
import java.util.Map;

/** Lines of {@code --json}; their names and parameters are an interface. */
public final class Figures {
    /** The bed of real daemons. */
    public static final String CLUSTER = "cluster";

    private static final String SIM = "sim";

    private Figures() {}

    static Figure step(Shown shown, double gigabits, long record, WriteStep step, WriteSide side, double seconds) {
        return step(SIM, shown.word(), gigabits, record, step, side, seconds);
    }

    /** Seconds of a step of 50,000 records. */
    public static Figure step(
            String bed, String shown, double gigabits, long record, WriteStep step, WriteSide side, double seconds) {
        Map<String, Object> params = params(bed, shown, gigabits, record, side.text());
        params.put("step", step.name());
        params.put("records", PaperRow.RECORDS);
        return new Figure("exstorus_step", seconds, "seconds", params);
    }

    /** Seconds of 50,000 records, one stripe at a time. */
    static Figure elapsed(Shown shown, double gigabits, long record, WriteSide side, double seconds) {
        Map<String, Object> params = params(shown, gigabits, record, side);
        params.put("records", PaperRow.RECORDS);
        return new Figure("exstorus_elapsed", seconds, "seconds", params);
    }

    static Figure rate(Shown shown, double gigabits, long record, WriteSide side, int window, double rate) {
        return rate(SIM, shown.word(), gigabits, record, side, window, rate);
    }

    /** @param window stripes under way */
    public static Figure rate(
            String bed, String shown, double gigabits, long record, WriteSide side, int window, double rate) {
        Map<String, Object> params = params(bed, shown, gigabits, record, side.text());
        params.put("window", window);
        return new Figure("exstorus_rate", rate, "MB/s", params);
    }

    static Map<String, Object> params(Shown shown, double gigabits, long record, WriteSide side) {
        return params(SIM, shown.word(), gigabits, record, side.text());
    }

    /** What every line has. */
    public static Map<String, Object> params(String bed, String shown, double gigabits, long record, String side) {
        Map<String, Object> params = new LinkedHashMap<>();
        params.put("show", shown);
        params.put("network", NetworkSpeed.text(gigabits));
        params.put("record", record);
        params.put("side", side);
        params.put("bed", bed);
        return params;
    }
}
