package io.ecfs.console.command;

import io.ecfs.console.command.option.ByteCount;
import io.ecfs.console.command.option.NetworkOption;
import io.ecfs.console.command.option.PolicyName;
import io.ecfs.console.command.option.WriteModelOptions;
import io.ecfs.console.forecast.ForecastDefaults;
import io.ecfs.console.forecast.NetworkSpeed;
import io.ecfs.console.forecast.WriteForecastView;
import io.ecfs.console.forecast.WriteQuestion;
import io.ecfs.console.view.Json;
import io.ecfs.console.view.TextTable;
import io.ecfs.layout.Policy;
import io.ecfs.plan.write.Network;
import io.ecfs.plan.write.WriteStep;
import io.ecfs.plan.write.WriteSystem;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.Locale;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Forecasts by the cost model, without a cluster. */
@Command(
        name = "model",
        description = "Forecasts by a cost model, without a cluster.",
        mixinStandardHelpOptions = true,
        footer = {"", "Examples:", "  ecfs model write --policy rs-8-2-1024k --network 100g --clients 10000 --file 1g"})
final class ModelCommand implements Runnable {
    @Spec
    private CommandSpec spec;

    @Override
    public void run() {
        throw new ParameterException(spec.commandLine(), "Which model? There is write; see ecfs model --help.");
    }

    @Command(
            description = {
                "The time of a write in five steps (Kim et al.: CO client overhead, MP master process, PC parity",
                "calculation, DD data distribution, SP slave process), encoded by the client or by a master datanode;",
                "then the rate of many writes at once, its bottleneck, bytes on the network and on disks for each byte",
                "of the files, and the cheaper side. Constants come with the program or from measured writes."
            },
            mixinStandardHelpOptions = true,
            footer = {
                "",
                "Examples:",
                "  ecfs model write --policy rs-8-2-1024k --network 100g --clients 10000 --datanodes 2000",
                "  ecfs model write --policy rs-4-2-64k --network 1g --file 100k --side master",
                "  ecfs model write --policy rs-4-2-32k --network 40g --record 128k --hardware paper --window 1",
                "  ecfs model write --policy rs-6-3-1024k --network 10g --calibrate writes.csv --json"
            })
    int write(
            @Mixin WriteModelOptions model,
            @Option(
                            names = "--policy",
                            required = true,
                            converter = PolicyName.class,
                            description = "Of the files, for example rs-8-2-1024k.")
                    Policy policy,
            @Option(
                            names = "--network",
                            paramLabel = "SPEED",
                            defaultValue = "10g",
                            converter = NetworkOption.class,
                            description = "Of every link, 1g to 400g (default: ${DEFAULT-VALUE}).")
                    double gigabits,
            @Option(
                            names = "--clients",
                            paramLabel = "N",
                            defaultValue = "1",
                            description = "That write at the same time, a file each (default: ${DEFAULT-VALUE}).")
                    int clients,
            @Option(names = "--datanodes", paramLabel = "N", description = "Default: as many as a group has chunks.")
                    Integer datanodes,
            @Option(
                            names = "--file",
                            paramLabel = "SIZE",
                            defaultValue = ForecastDefaults.FILE_TEXT,
                            converter = ByteCount.class,
                            description = "Of each file (default: ${DEFAULT-VALUE}).")
                    long fileBytes,
            @Option(
                            names = "--record",
                            paramLabel = "SIZE",
                            defaultValue = "128k",
                            converter = ByteCount.class,
                            description = "Of one write, a multiple of 4k (default: ${DEFAULT-VALUE}).")
                    long recordBytes,
            @Option(
                            names = "--cores",
                            paramLabel = "N",
                            defaultValue = ForecastDefaults.CORES_TEXT,
                            description = "Of each datanode (default: ${DEFAULT-VALUE}).")
                    int cores,
            @Option(
                            names = "--disk",
                            paramLabel = "SIZE",
                            defaultValue = ForecastDefaults.DISK_TEXT,
                            converter = ByteCount.class,
                            description = "That the disks of one datanode write in a second (default:"
                                    + " ${DEFAULT-VALUE}).")
                    long diskBytes,
            @Option(names = "--json", description = "For scripts.") boolean json)
            throws IOException {
        WriteQuestion question = new WriteQuestion(
                policy,
                Network.ofGigabits(gigabits, model.latencyNanos()),
                new WriteSystem(
                        clients, datanodes != null ? datanodes : policy.chunks(), model.window(), cores, diskBytes),
                fileBytes,
                recordBytes);
        PrintWriter out = spec.commandLine().getOut();
        WriteModelOptions.Hardware hardware = model.hardware();
        WriteForecastView both = WriteForecastView.of(question, hardware.constants());
        WriteForecastView view = model.side().map(both::only).orElse(both);
        if (json) {
            Json.print(out, view);
            return 0;
        }
        hardware.worst()
                .forEach((part, error) -> out.println(String.format(
                        Locale.ROOT, "calibrated %s: worst error %.0f %%", TextTable.words(part), 100 * error)));
        print(view, gigabits, model.latencyNanos());
        return 0;
    }

    private void print(WriteForecastView view, double gigabits, long latencyNanos) {
        PrintWriter out = spec.commandLine().getOut();
        out.println(view.policy() + ", " + view.clients() + " clients, " + view.datanodes() + " datanodes, links of "
                + NetworkSpeed.text(gigabits) + " with " + latencyNanos / 1000 + " us, files of "
                + TextTable.bytes(view.fileBytes()) + " in records of " + TextTable.bytes(view.recordBytes())
                + ", window of " + view.window() + " stripes");
        TextTable table = new TextTable(
                "SIDE",
                "CO us",
                "MP us",
                "PC us",
                "DD us",
                "SP us",
                "ALONE us",
                "MB/s",
                "A CLIENT",
                "BOTTLENECK",
                "CLIENT SENDS",
                "NETWORK",
                "STORED");
        for (WriteForecastView.Side one : view.sides()) {
            table.row(
                    one.side(),
                    number(one.stepMicros().get(WriteStep.CO.name())),
                    number(one.stepMicros().get(WriteStep.MP.name())),
                    number(one.stepMicros().get(WriteStep.PC.name())),
                    number(one.stepMicros().get(WriteStep.DD.name())),
                    number(one.stepMicros().get(WriteStep.SP.name())),
                    number(one.aloneMicros()),
                    number(one.rate()),
                    number(one.ratePerClient()),
                    one.bottleneck(),
                    ratio(one.clientBytes()),
                    ratio(one.networkBytes()),
                    ratio(one.storedBytes()));
        }
        out.print(table);
        for (WriteForecastView.Side one : view.sides()) {
            out.println(one.side() + ": "
                    + one.datanodesForClients()
                            .map(count -> "from " + count + " datanodes on they are no bottleneck")
                            .orElse("no number of datanodes ends their being the bottleneck"));
        }
        out.println(view.reason());
        out.flush();
    }

    private static String number(double value) {
        return String.format(Locale.ROOT, value >= 100 ? "%.0f" : "%.1f", value);
    }

    private static String ratio(double value) {
        return String.format(Locale.ROOT, "%.2f", value);
    }
}
