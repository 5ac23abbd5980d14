package io.ecfs.advise;

import io.ecfs.code.CodeFamily;
import io.ecfs.code.CodeSpec;
import io.ecfs.layout.Policy;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Policies that are worth a comparison: of each family those that survive just the losses asked for, in usual widths
 * and cells. Bit-matrix codes and {@code rs-van} store and read what {@code rs} does, and are left out.
 */
public final class Candidates {
    private static final int KIB = 1024;
    private static final List<Integer> CELLS = List.of(64 * KIB, 256 * KIB, 1024 * KIB, 4096 * KIB);
    private static final List<Integer> DATA_CHUNKS = List.of(2, 3, 4, 6, 8, 9, 10, 12, 15, 16, 20);
    private static final List<Integer> LOCAL_GROUPS = List.of(2, 3, 4);

    private Candidates() {}

    /**
     * Policies x cells.
     *
     * @param losses as of {@link Goals}
     */
    public static List<Policy> surviving(int losses) {
        List<Policy> policies = new ArrayList<>();
        for (CodeSpec code : codes(losses)) {
            for (int cell : CELLS) {
                policy(code, cell).ifPresent(policies::add);
            }
        }
        return List.copyOf(policies);
    }

    private static List<CodeSpec> codes(int losses) {
        List<CodeSpec> codes = new ArrayList<>();
        add(codes, CodeFamily.REPLICATION, losses + 1);
        for (int k : DATA_CHUNKS) {
            if (losses == 1) {
                add(codes, CodeFamily.XOR, k, 1);
            } else {
                add(codes, CodeFamily.RS, k, losses);
                add(codes, CodeFamily.CLAY, k, losses, k + losses - 1);
            }
            add(codes, CodeFamily.SHEC, k, losses + 1, losses);
            for (int groups : LOCAL_GROUPS) {
                if (k % groups == 0 && k > groups) {
                    add(codes, CodeFamily.LRC, k, groups, losses - 1);
                }
            }
        }
        return codes;
    }

    /** Without those whose numbers the family does not admit. */
    private static void add(List<CodeSpec> codes, CodeFamily family, Integer... numbers) {
        try {
            codes.add(new CodeSpec(family, List.of(numbers)));
        } catch (IllegalArgumentException notAdmitted) {
            return;
        }
    }

    private static Optional<Policy> policy(CodeSpec code, int cell) {
        try {
            return Optional.of(new Policy(code, cell));
        } catch (IllegalArgumentException cellBelowTheCodesUnit) {
            return Optional.empty();
        }
    }
}
