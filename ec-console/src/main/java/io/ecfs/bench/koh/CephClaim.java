package io.ecfs.bench.koh;

import io.ecfs.console.forecast.ResourceText;
import io.ecfs.layout.Policy;
import io.ecfs.plan.write.CsvLines;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * An amplification that the paper measures, and the stream of requests that it measures it with.
 *
 * @param mix the stream is that of a mix; empty: of requests of one kind and pattern
 * @param sizes of requests, whose ratios are averaged; empty for a mix
 * @param compared alone (bytes requested), with three copies, the other state, or RS(4,2)
 * @param paper the ratio that it gives
 * @param note on what the rules give; may be empty
 */
record CephClaim(
        String figure,
        Quantity quantity,
        Optional<Mix> mix,
        AccessPattern pattern,
        IoKind kind,
        List<Integer> sizes,
        ImageState state,
        Policy policy,
        Comparison compared,
        double paper,
        String section,
        String note) {
    CephClaim {
        sizes = List.copyOf(sizes);
    }

    static List<CephClaim> read() {
        List<CephClaim> claims = new ArrayList<>();
        CsvLines.read(ResourceText.of(CephClaim.class, "claims.csv").lines().toList(), fields -> {
            CsvLines.requireFields(
                    fields, "figure,quantity,pattern,kind,sizes,state,policy,compared,paper,section,note");
            Optional<Mix> mix = Arrays.stream(Mix.values())
                    .filter(m -> m.word().equals(fields.get(2)))
                    .findFirst();
            claims.add(new CephClaim(
                    fields.get(0),
                    Quantity.of(fields.get(1)),
                    mix,
                    mix.isPresent() ? AccessPattern.RANDOM : AccessPattern.valueOf(upper(fields.get(2))),
                    mix.isPresent() ? IoKind.METADATA : IoKind.valueOf(upper(fields.get(3))),
                    KohFigures.sizes(fields.get(4)),
                    ImageState.valueOf(upper(fields.get(5))),
                    Policy.parse(fields.get(6)),
                    Comparison.of(fields.get(7)),
                    Double.parseDouble(fields.get(8)),
                    fields.get(9),
                    fields.get(10)));
        });
        return List.copyOf(claims);
    }

    private static String upper(String word) {
        return word.toUpperCase(Locale.ROOT);
    }

    /** What is compared, in words: {@code written, random write 4k, rs-6-3, of 3 copies}. */
    String text() {
        String stream = mix.map(m -> "mix " + m.word())
                .orElseGet(() -> pattern.word() + " " + kind.word() + " "
                        + String.join(
                                "/",
                                sizes.stream().map(bytes -> bytes / 1024 + "k").toList()));
        return quantity.word() + ", " + stream + ", " + policy.code() + ", " + compared.text();
    }
}
