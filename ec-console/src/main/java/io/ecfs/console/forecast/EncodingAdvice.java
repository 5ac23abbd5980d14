package io.ecfs.console.forecast;

import io.ecfs.layout.Policy;
import io.ecfs.layout.WriteSide;
import io.ecfs.message.report.WriteReport;
import io.ecfs.message.report.WriteShare;
import io.ecfs.plan.write.WriteShape;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * Who should encode new files of a policy, from the writes of all clients.
 *
 * @param side empty while one of the sides has too few stripes
 * @param reason in one line, with its numbers
 */
public record EncodingAdvice(String policy, Optional<WriteSide> side, String reason) {
    /** Stripes of a side from which its time is told. */
    static final long FEWEST = 100;

    /** Sides that differ by less are alike: then the one with fewer bytes on the network is taken. */
    private static final double ALIKE = 0.05;

    private static final double MEBI = 1 << 20;
    private static final double MILLIS = 1e6; // nanoseconds

    /** One for each policy that was written, by name. */
    public static List<EncodingAdvice> of(WriteReport report) {
        Map<Policy, Map<WriteSide, WriteShare>> policies = report.shares().stream()
                .collect(Collectors.groupingBy(
                        WriteShare::policy, Collectors.toMap(WriteShare::side, share -> share, WriteShare::plus)));
        Map<String, EncodingAdvice> advice = new TreeMap<>();
        policies.forEach((policy, sides) -> advice.put(
                policy.name(),
                of(
                        policy,
                        sides.getOrDefault(WriteSide.CLIENT, WriteShare.none(policy, WriteSide.CLIENT)),
                        sides.getOrDefault(WriteSide.MASTER, WriteShare.none(policy, WriteSide.MASTER)))));
        return List.copyOf(advice.values());
    }

    private static EncodingAdvice of(Policy policy, WriteShare client, WriteShare master) {
        if (client.stripes() < FEWEST || master.stripes() < FEWEST) {
            return new EncodingAdvice(
                    policy.name(),
                    Optional.empty(),
                    String.format(
                            Locale.ROOT,
                            "not known yet: clients encoded %d stripes and masters %d, each needs %d; a directory with"
                                    + " --encode auto tries both",
                            client.stripes(),
                            master.stripes(),
                            FEWEST));
        }
        double clientMillis = millisPerMebi(client);
        double masterMillis = millisPerMebi(master);
        boolean alike = Math.abs(masterMillis / clientMillis - 1) <= ALIKE;
        boolean atMaster = alike
                ? networkBytes(policy, WriteSide.MASTER) < networkBytes(policy, WriteSide.CLIENT)
                : masterMillis < clientMillis;
        WriteSide side = atMaster ? WriteSide.MASTER : WriteSide.CLIENT;
        return new EncodingAdvice(
                policy.name(),
                Optional.of(side),
                String.format(
                        Locale.ROOT,
                        "encode at the %s: clients took %.2f ms a MiB (%d stripes, %.2f network bytes a byte), masters"
                                + " %.2f (%d stripes, %.2f)",
                        side.text(),
                        clientMillis,
                        client.stripes(),
                        networkBytes(policy, WriteSide.CLIENT),
                        masterMillis,
                        master.stripes(),
                        networkBytes(policy, WriteSide.MASTER)));
    }

    private static double millisPerMebi(WriteShare share) {
        return share.elapsed() / MILLIS / Math.max(1, share.bytes()) * MEBI;
    }

    private static double networkBytes(Policy policy, WriteSide side) {
        WriteShape stripe =
                WriteShape.ofOneStripe(side, policy.dataChunks(), policy.parityChunks(), policy.stripeBytes());
        return stripe.networkBytes() / (double) stripe.recordBytes();
    }
}
