package io.ecfs.namenode.settings;

/**
 * w1 and w2 of equation 8.
 *
 * @param access of E
 * @param balance of I
 */
public record MoverWeights(double access, double balance) {
    /** Weights of the paper (ec-store, VI). */
    public static final MoverWeights PAPER = new MoverWeights(1, 3);

    public MoverWeights {
        if (!(access >= 0) || !(balance >= 0)) {
            throw new IllegalArgumentException("weights are not negative: " + access + " and " + balance);
        }
    }
}
