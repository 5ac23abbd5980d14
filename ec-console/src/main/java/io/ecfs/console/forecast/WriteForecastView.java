package io.ecfs.console.forecast;

import io.ecfs.layout.WriteSide;
import io.ecfs.plan.write.WriteConstants;
import io.ecfs.plan.write.WriteForecast;
import io.ecfs.plan.write.WriteResource;
import io.ecfs.plan.write.WriteShape;
import io.ecfs.plan.write.WriteStep;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * Forecasts of both sides, or of one, as {@code --json} shows them.
 *
 * @param network bits per second of a link
 * @param cheapest the side with the higher rate; within 1 per cent of each other, the one with less on the network
 * @param reason of that in one line, with the numbers
 */
public record WriteForecastView(
        String policy,
        double network,
        int clients,
        int datanodes,
        long fileBytes,
        long recordBytes,
        int window,
        List<Side> sides,
        String cheapest,
        String reason) {
    private static final double ALIKE = 0.01;
    private static final double MICROS = 1000;
    private static final double MEGA = 1e6;
    private static final double BITS = 8;

    /**
     * One side.
     *
     * @param stepMicros of one write alone, by CO, MP, PC, DD, SP
     * @param aloneMicros their sum
     * @param rate MB/s (10^6 bytes) of all clients together
     * @param ratePerClient MB/s
     * @param demandMicros between two writes of all clients, were one resource alone to bound them
     * @param clientBytes that leave the client for each byte of a file
     * @param networkBytes on all links for each byte of a file
     * @param storedBytes for each byte of a file
     * @param datanodesForClients the fewest with which the datanodes are no bottleneck; empty where none suffice
     */
    public record Side(
            String side,
            Map<String, Double> stepMicros,
            double aloneMicros,
            String bottleneck,
            double rate,
            double ratePerClient,
            Map<String, Double> demandMicros,
            double clientBytes,
            double networkBytes,
            double storedBytes,
            Optional<Integer> datanodesForClients) {
        static Side of(WriteForecast forecast) {
            WriteShape shape = forecast.cost().shape();
            Map<String, Double> steps = new LinkedHashMap<>();
            for (WriteStep step : WriteStep.values()) {
                steps.put(step.name(), forecast.cost().nanos(step) / MICROS);
            }
            Map<String, Double> demands = new LinkedHashMap<>();
            for (Map.Entry<WriteResource, Double> demand : forecast.demands().entrySet()) {
                demands.put(demand.getKey().words(), demand.getValue() / MICROS);
            }
            double bytes = shape.recordBytes();
            var enough = forecast.datanodesForClients();
            return new Side(
                    shape.side().text(),
                    steps,
                    forecast.cost().nanos() / MICROS,
                    forecast.bottleneck(),
                    forecast.bytesPerSecond() / MEGA,
                    forecast.bytesPerSecond() / MEGA / forecast.system().clients(),
                    demands,
                    shape.clientBytes() / bytes,
                    shape.networkBytes() / bytes,
                    shape.storedBytes() / bytes,
                    enough.isPresent() ? Optional.of(enough.getAsInt()) : Optional.empty());
        }
    }

    public static WriteForecastView of(WriteQuestion question, WriteConstants constants) {
        List<Side> sides = new ArrayList<>();
        for (WriteSide side : WriteSide.values()) {
            sides.add(Side.of(question.forecast(side, constants)));
        }
        boolean master = masterIsCheaper(sides.get(0), sides.get(1));
        Side cheapest = sides.get(master ? 1 : 0);
        Side other = sides.get(master ? 0 : 1);
        return new WriteForecastView(
                question.policy().name(),
                question.network().bytesPerSecond() * BITS,
                question.system().clients(),
                question.system().datanodes(),
                question.fileBytes(),
                Math.min(question.recordBytes(), question.fileBytes()),
                question.system().window(),
                sides,
                cheapest.side(),
                reason(cheapest, other));
    }

    /** The same with one side's forecast alone; which side is cheaper follows from both. */
    public WriteForecastView only(WriteSide side) {
        return new WriteForecastView(
                policy,
                network,
                clients,
                datanodes,
                fileBytes,
                recordBytes,
                window,
                sides.stream().filter(one -> one.side().equals(side.text())).toList(),
                cheapest,
                reason);
    }

    private static boolean masterIsCheaper(Side client, Side master) {
        boolean alike = Math.abs(client.rate() / master.rate() - 1) <= ALIKE;
        return alike ? master.networkBytes() < client.networkBytes() : master.rate() > client.rate();
    }

    private static String reason(Side cheapest, Side other) {
        return String.format(
                Locale.ROOT,
                "encode at the %s: %.1f MB/s (%s) against %.1f MB/s (%s), %.2f network bytes a byte against %.2f",
                cheapest.side(),
                cheapest.rate(),
                cheapest.bottleneck(),
                other.rate(),
                other.bottleneck(),
                cheapest.networkBytes(),
                other.networkBytes());
    }
}
