package io.ecfs.bench.koh;

import io.ecfs.bench.report.Cells;
import io.ecfs.bench.report.Table;
import io.ecfs.layout.Policy;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** The paper's amplification beside what its rules give. */
public final class CephClaims {
    /** A number follows from the rules when it differs by no more than this share. */
    static final double TOLERANCE = 0.25;

    private static final Policy COPIES = Policy.parse("replication-3");
    private static final Policy NARROW = Policy.parse("rs-4-2");
    private static final int RANDOM_OBJECTS = 64;
    private static final int SEQUENTIAL_OBJECTS = 3;
    private static final int MIX_OPERATIONS = 20_000;
    private static final int MIX_FILES = 4;
    private static final int SEED = 1;

    private final CephRules rules;
    private final List<CephClaim> claims = CephClaim.read();
    private final double writesAnObject;
    private final List<Answer> answers;

    /**
     * One claim with what the rules give.
     *
     * @param ratio when every message between OSDs counts
     * @param onNodes when those within a node of the paper's four do not; replicas are on nodes of their own
     */
    record Answer(CephClaim claim, double ratio, double onNodes) {
        double error() {
            return ratio / claim.paper() - 1;
        }

        boolean follows() {
            return Math.abs(error()) <= TOLERANCE;
        }
    }

    public CephClaims(CephRules rules) {
        this.rules = rules;
        this.writesAnObject = fitted();
        this.answers = claims.stream()
                .map(claim -> new Answer(claim, ratio(claim, false), ratio(claim, true)))
                .toList();
    }

    /**
     * Random writes that an object gets on average while the paper measures. It does not say; figure 24 gives it: on
     * pristine images the network is so many times as busy as on written ones, so that one object's initialisation is
     * the rest.
     */
    double writesAnObject() {
        return writesAnObject;
    }

    private double fitted() {
        CephClaim claim = claims.stream()
                .filter(c -> c.quantity() == Quantity.NETWORK && c.compared() == Comparison.STATES)
                .findFirst()
                .orElseThrow();
        long bytes = claim.sizes().get(0);
        double overwrite = random(claim, claim.policy(), ImageState.OVERWRITE, (int) bytes, RANDOM_OBJECTS)
                        .bytes(Quantity.NETWORK)
                / (double) RANDOM_OBJECTS;
        CephModel first = new CephModel(rules, claim.policy(), ImageState.PRISTINE);
        first.apply(new Request(IoKind.WRITE, 0, 0, (int) bytes));
        CephModel second = new CephModel(rules, claim.policy(), ImageState.OVERWRITE);
        second.apply(new Request(IoKind.WRITE, 0, 0, (int) bytes));
        double initialisation =
                first.traffic().privateBytes() - (double) second.traffic().privateBytes();
        return initialisation / ((claim.paper() - 1) * overwrite);
    }

    List<Answer> answers() {
        return answers;
    }

    /** A row for each claim, for people. */
    public Table table() {
        List<List<String>> rows = new ArrayList<>();
        for (Answer answer : answers) {
            CephClaim claim = answer.claim();
            rows.add(List.of(
                    claim.figure(),
                    claim.text(),
                    claim.section(),
                    Cells.number(claim.paper(), 2),
                    Cells.number(answer.ratio(), 2),
                    claim.quantity() == Quantity.NETWORK ? Cells.number(answer.onNodes(), 2) : "",
                    Cells.number(100 * answer.error(), 0) + " %",
                    answer.follows() ? "yes" : "NO",
                    claim.note()));
        }
        return new Table(
                "the paper's amplification, and what its rules give with " + Cells.number(writesAnObject, 1)
                        + " random writes an object",
                List.of("FIGURE", "RATIO", "SECTION", "PAPER", "RULES", "ON 4 NODES", "ERROR", "FOLLOWS", "NOTE"),
                rows);
    }

    private double ratio(CephClaim claim, boolean onNodes) {
        if (claim.mix().isPresent()) {
            return ratio(claim, 0, onNodes);
        }
        return claim.sizes().stream()
                .mapToDouble(bytes -> ratio(claim, bytes, onNodes))
                .average()
                .orElseThrow();
    }

    private double ratio(CephClaim claim, int bytes, boolean onNodes) {
        double ours = amplification(claim, claim.policy(), claim.state(), bytes, onNodes);
        double other = switch (claim.compared()) {
            case ALONE, KERNELS, PATCHED, MERGED -> 1;
            case REPLICATION -> amplification(claim, COPIES, claim.state(), bytes, onNodes);
            case STATES -> amplification(claim, claim.policy(), ImageState.OVERWRITE, bytes, onNodes);
            case CODES -> amplification(claim, NARROW, claim.state(), bytes, onNodes);
        };
        return claim.compared().ratio(claim.quantity(), ours, other);
    }

    private double amplification(CephClaim claim, Policy policy, ImageState state, int bytes, boolean onNodes) {
        CephModel model = new CephModel(rules, policy, state);
        stream(claim, bytes, model::apply);
        double all = model.traffic().perByte(claim.quantity());
        boolean local = onNodes && claim.quantity() == Quantity.NETWORK && policy.dataChunks() > 1;
        return local ? all * rules.remoteShare() : all;
    }

    private void stream(CephClaim claim, int bytes, Consumer<Request> consumer) {
        if (claim.mix().isPresent()) {
            Mix mix = claim.mix().get();
            MixDraws draws = new MixDraws(mix, MIX_FILES, (long) RANDOM_OBJECTS * rules.objectBytes(), SEED);
            for (int i = 0; i < MIX_OPERATIONS; i++) {
                consumer.accept(draws.next().request());
            }
        } else if (claim.pattern() == AccessPattern.SEQUENTIAL) {
            long file = (long) SEQUENTIAL_OBJECTS * rules.objectBytes();
            Request.each(AccessPattern.SEQUENTIAL, claim.kind(), bytes, file, file / bytes, SEED, consumer);
        } else {
            each(claim, bytes, Math.round(writesAnObject * RANDOM_OBJECTS), consumer);
        }
    }

    private CephTraffic random(CephClaim claim, Policy policy, ImageState state, int bytes, long count) {
        CephModel model = new CephModel(rules, policy, state);
        each(claim, bytes, count, model::apply);
        return model.traffic();
    }

    private void each(CephClaim claim, int bytes, long count, Consumer<Request> consumer) {
        Request.each(
                AccessPattern.RANDOM,
                claim.kind(),
                bytes,
                (long) RANDOM_OBJECTS * rules.objectBytes(),
                count,
                SEED,
                consumer);
    }
}
