package io.ecfs.bench.exstorus;

import io.ecfs.bench.bed.write.WriteBedResult;
import io.ecfs.bench.report.Cells;
import io.ecfs.bench.report.Figure;
import io.ecfs.bench.report.Report;
import io.ecfs.bench.report.Table;
import io.ecfs.code.kernel.GaloisKernel;
import io.ecfs.code.kernel.KernelProvider.Loading;
import io.ecfs.code.kernel.Kernels;
import io.ecfs.layout.Policy;
import io.ecfs.layout.WriteSide;
import io.ecfs.plan.write.CostTerm;
import io.ecfs.plan.write.WriteConstants;
import io.ecfs.plan.write.WriteCost;
import io.ecfs.plan.write.WritePart;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;

/**
 * Figures 4 to 7: what codes cost a write. The kernels run on this machine, one thread, by processor time; the write
 * around them is the bed's on 10 G, with as many stripes under way as there are threads. The paper's software codes
 * (Jerasure) are ours on the {@code java} kernel, its AVX2:CRS is {@code crs} on a kernel with vector instructions.
 */
final class CodeTables {
    private static final double GIGABITS = 10;
    private static final long RECORD = PaperRow.LONGEST;
    private static final double PER_CENT = 100;
    private static final String JAVA = "java";
    private static final String NONE = "none";
    private static final Map<String, Policy> CODES = codes();

    private final ExstorusPlan plan;
    private final BedRuns runs;
    private final LongSupplier processor;
    private final Numbers said = Numbers.ofThePaper();
    private final Numbers targets = Numbers.targets();
    private final Map<String, Double> measured = new LinkedHashMap<>(); // by code and kernel, kept for all figures

    /** @param processor nanoseconds that this thread has run */
    CodeTables(ExstorusPlan plan, BedRuns runs, LongSupplier processor) {
        this.plan = plan;
        this.runs = runs;
        this.processor = processor;
    }

    private static Map<String, Policy> codes() {
        Map<String, Policy> codes = new LinkedHashMap<>();
        codes.put("rs", Policy.parse("rs-4-2-32k"));
        codes.put("crs", Policy.parse("crs-4-2-32k"));
        codes.put("lib", Policy.parse("liberation-4-2-32k"));
        return Collections.unmodifiableMap(codes);
    }

    Report of(Shown shown) {
        int threads = shown == Shown.FIG4 || shown == Shown.FIG5 ? 1 : plan.threads();
        boolean rates = shown == Shown.FIG4 || shown == Shown.FIG6;
        List<List<String>> cells = new ArrayList<>();
        List<Figure> figures = new ArrayList<>();
        List<String> notes = new ArrayList<>();
        Map<String, WriteBedResult> none = new LinkedHashMap<>(); // of each code, since its cells differ
        CODES.keySet().forEach(code -> none.put(code, run(code, new NoCoding(), threads)));
        add(shown, NONE, "", none.get("rs"), none.get("rs"), threads, 0, cells, figures);
        Map<String, Loading> kernels = Kernels.all();
        for (String name : plan.kernels()) {
            if (!(kernels.get(name) instanceof Loading.Loaded loaded)) {
                notes.add("kernel " + name + " does not run here"
                        + (kernels.get(name) instanceof Loading.Unavailable why ? ": " + why.reason() : ""));
                continue;
            }
            for (String code : CODES.keySet()) {
                WriteBedResult result = run(code, loaded.kernel(), threads);
                add(shown, code, name, result, none.get(code), threads, nanos(code, loaded.kernel()), cells, figures);
            }
        }
        notes.add(
                "the paper's figures have no numbers: what it says is shown; its machines had 10 G links and it wrote "
                        + (threads == 1 ? "on one thread" : "on ten threads with ten channels"));
        return new Report(
                List.of(new Table(
                        shown.word() + ": " + (rates ? "throughput" : "processor of the encoding machine") + " of "
                                + threads + (threads == 1 ? " thread" : " threads")
                                + " on 10 G, records of 128 K, encoded by the "
                                + plan.side().text(),
                        rates
                                ? List.of(
                                        "CODE",
                                        "KERNEL",
                                        "PAPER LOSES %",
                                        "OURS us/RECORD",
                                        "OURS MB/s",
                                        "LOSES %",
                                        "TARGET")
                                : List.of(
                                        "CODE",
                                        "KERNEL",
                                        "PAPER +%",
                                        "OURS us/RECORD",
                                        "OURS CPU %",
                                        "MORE THAN NONE",
                                        "TARGET"),
                        cells)),
                notes,
                figures);
    }

    private double nanos(String code, GaloisKernel kernel) {
        return measured.computeIfAbsent(
                code + " " + kernel.name(),
                key -> new KernelTimes(processor, plan.quick()).stripeNanos(CODES.get(code), kernel));
    }

    private WriteBedResult run(String code, GaloisKernel kernel, int threads) {
        WriteConstants constants =
                plan.constants().with(WritePart.ENCODING, Map.of(CostTerm.STRIPE, nanos(code, kernel)));
        WriteCost cost = runs.cost(
                constants,
                plan.side(),
                GIGABITS,
                BedRuns.DATA,
                BedRuns.PARITY,
                CODES.get(code).cellBytes(),
                RECORD);
        return runs.run(cost, threads);
    }

    private void add(
            Shown shown,
            String code,
            String kernel,
            WriteBedResult result,
            WriteBedResult none,
            int threads,
            double stripeNanos,
            List<List<String>> cells,
            List<Figure> figures) {
        boolean rates = shown == Shown.FIG4 || shown == Shown.FIG6;
        String named = kernel.equals(JAVA) ? code : code.equals("crs") ? "avx2:crs" : "";
        double value = rates ? result.rate() : cpu(result);
        double apart = rates ? PER_CENT * (1 - result.rate() / none.rate()) : cpu(result) - cpu(none);
        double stripes =
                code.equals(NONE) ? 1 : RECORD / (double) CODES.get(code).stripeBytes();
        boolean vectors = rates && !kernel.isEmpty() && !kernel.equals(JAVA);
        cells.add(List.of(
                code,
                kernel,
                Cells.number(said.find((rates ? "loss." : "cpu.") + threads + "." + named), 0),
                Cells.number(stripeNanos * stripes / 1000, 1),
                Cells.number(value, 1),
                Cells.number(apart, 1),
                vectors ? Cells.target("<=", targets.get("simd.loss"), 0, apart <= targets.get("simd.loss")) : ""));
        Map<String, Object> params = Figures.params(shown, GIGABITS, RECORD, plan.side());
        params.put("code", code);
        params.put("kernel", kernel.isEmpty() ? NONE : kernel);
        params.put("threads", threads);
        figures.add(new Figure(rates ? "exstorus_rate" : "exstorus_cpu", value, rates ? "MB/s" : "%", params));
    }

    private double cpu(WriteBedResult result) {
        return PER_CENT * (plan.side() == WriteSide.MASTER ? result.datanodeCpu() : result.clientCpu());
    }
}
