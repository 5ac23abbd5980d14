package io.ecfs.plan.write;

import java.util.Arrays;

/**
 * The x of least |A x - b| with no component below 0, by the active-set method of Lawson and Hanson (Solving Least
 * Squares Problems, 1974, chapter 23). For a few unknowns: it solves the normal equations of the positive ones anew in
 * every round. A column that the chosen ones already determine keeps 0.
 *
 * <p>No library: Commons Math has no such solver, and plans may not depend on one.
 */
public final class NonNegativeLeastSquares {
    /** Of a gradient, relative to the lengths of its column and of b. */
    private static final double TOLERANCE = 1e-12;

    /** Squared sine of the angle between a column and those before it, below which it is dependent on them. */
    private static final double DEPENDENT = 1e-10;

    private final double[][] gram; // of columns scaled to length 1
    private final double[] projected; // b on the columns
    private final boolean[] positive;
    private double[] x;

    private NonNegativeLeastSquares(double[][] gram, double[] projected) {
        this.gram = gram;
        this.projected = projected;
        this.positive = new boolean[projected.length];
        this.x = new double[projected.length];
    }

    /**
     * Solves {@code rows x = values}.
     *
     * @param rows of equal length
     * @param values one for each row
     */
    public static double[] solve(double[][] rows, double[] values) {
        if (rows.length == 0 || rows.length != values.length) {
            throw new IllegalArgumentException(rows.length + " rows do not have " + values.length + " values");
        }
        int columns = rows[0].length;
        double[] lengths = new double[columns];
        for (double[] row : rows) {
            for (int j = 0; j < columns; j++) {
                lengths[j] += row[j] * row[j];
            }
        }
        for (int j = 0; j < columns; j++) {
            lengths[j] = Math.sqrt(lengths[j]);
        }
        double[][] gram = new double[columns][columns];
        double[] projected = new double[columns];
        double square = 0;
        for (int i = 0; i < rows.length; i++) {
            square += values[i] * values[i];
            for (int j = 0; j < columns; j++) {
                double scaled = lengths[j] == 0 ? 0 : rows[i][j] / lengths[j];
                projected[j] += scaled * values[i];
                for (int l = 0; l < columns; l++) {
                    gram[j][l] += lengths[l] == 0 ? 0 : scaled * rows[i][l] / lengths[l];
                }
            }
        }
        double[] x = new NonNegativeLeastSquares(gram, projected).solve(TOLERANCE * Math.sqrt(square));
        for (int j = 0; j < columns; j++) {
            x[j] = lengths[j] == 0 ? 0 : x[j] / lengths[j];
        }
        return x;
    }

    private double[] solve(double tolerance) {
        boolean[] refused = new boolean[x.length];
        for (int steepest = steepest(refused, tolerance); steepest >= 0; steepest = steepest(refused, tolerance)) {
            positive[steepest] = true;
            double[] z = unconstrained();
            if (z.length == 0 || z[steepest] <= 0) {
                positive[steepest] = false;
                refused[steepest] = true; // it depends on the others, or rounding alone made its gradient
                continue;
            }
            while (goAsFarAsAllowedTo(z)) {
                z = unconstrained();
            }
            x = z;
            Arrays.fill(refused, false);
        }
        return x;
    }

    /** The column in whose direction the error falls most; below 0 for none. */
    private int steepest(boolean[] refused, double tolerance) {
        int best = -1;
        double most = tolerance;
        for (int j = 0; j < x.length; j++) {
            if (!positive[j] && !refused[j]) {
                double gradient = projected[j];
                for (int l = 0; l < x.length; l++) {
                    gradient -= gram[j][l] * x[l];
                }
                if (gradient > most) {
                    most = gradient;
                    best = j;
                }
            }
        }
        return best;
    }

    /** Moves x towards z up to the first bound; true when there was one, whose columns then are 0. */
    private boolean goAsFarAsAllowedTo(double[] z) {
        double share = 1;
        int first = -1;
        for (int j = 0; j < x.length; j++) {
            if (positive[j] && z[j] <= 0) {
                double allowed = x[j] / (x[j] - z[j]);
                if (first < 0 || allowed < share) {
                    share = allowed;
                    first = j;
                }
            }
        }
        if (first < 0) {
            return false;
        }
        for (int j = 0; j < x.length; j++) {
            x[j] += share * (z[j] - x[j]);
            if (positive[j] && (j == first || x[j] <= 0)) {
                x[j] = 0;
                positive[j] = false;
            }
        }
        return true;
    }

    /** Least squares over the positive columns alone, by Cholesky; empty when they depend on each other. */
    private double[] unconstrained() {
        int[] chosen = new int[x.length];
        int count = 0;
        for (int j = 0; j < x.length; j++) {
            if (positive[j]) {
                chosen[count++] = j;
            }
        }
        double[][] lower = new double[count][count];
        for (int i = 0; i < count; i++) {
            for (int j = 0; j <= i; j++) {
                double sum = gram[chosen[i]][chosen[j]];
                for (int l = 0; l < j; l++) {
                    sum -= lower[i][l] * lower[j][l];
                }
                if (i == j && sum < DEPENDENT) {
                    return new double[0];
                }
                lower[i][j] = i == j ? Math.sqrt(sum) : sum / lower[j][j];
            }
        }
        double[] y = new double[count];
        for (int i = 0; i < count; i++) {
            y[i] = projected[chosen[i]];
            for (int l = 0; l < i; l++) {
                y[i] -= lower[i][l] * y[l];
            }
            y[i] /= lower[i][i];
        }
        double[] z = new double[x.length];
        for (int i = count - 1; i >= 0; i--) {
            double value = y[i];
            for (int l = i + 1; l < count; l++) {
                value -= lower[l][i] * z[chosen[l]];
            }
            z[chosen[i]] = value / lower[i][i];
        }
        return z;
    }
}
