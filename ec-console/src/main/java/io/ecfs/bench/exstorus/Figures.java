package io.ecfs.bench.exstorus;

import io.ecfs.bench.report.Figure;
import io.ecfs.console.forecast.NetworkSpeed;
import io.ecfs.plan.write.WriteSide;
import io.ecfs.plan.write.WriteStep;
import java.util.LinkedHashMap;
import java.util.Map;

/** Lines of {@code --json}; their names and parameters are an interface. */
final class Figures {
    private static final String BED = "sim";

    private Figures() {}

    /** Seconds of a step of 50,000 records. */
    static Figure step(Shown shown, double gigabits, long record, WriteStep step, WriteSide side, double seconds) {
        Map<String, Object> params = params(shown, gigabits, record, side);
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

    /** @param window stripes under way */
    static Figure rate(Shown shown, double gigabits, long record, WriteSide side, int window, double rate) {
        Map<String, Object> params = params(shown, gigabits, record, side);
        params.put("window", window);
        return new Figure("exstorus_rate", rate, "MB/s", params);
    }

    static Map<String, Object> params(Shown shown, double gigabits, long record, WriteSide side) {
        Map<String, Object> params = new LinkedHashMap<>();
        params.put("show", shown.word());
        params.put("network", NetworkSpeed.text(gigabits));
        params.put("record", record);
        params.put("side", side.word());
        params.put("bed", BED);
        return params;
    }
}
