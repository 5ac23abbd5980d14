package io.ecfs.plan.write;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.offset;
import static org.assertj.core.api.Assertions.within;

import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class NonNegativeLeastSquaresTest {
    @Test
    void aLineThroughItsPointsIsFound() {
        double[][] rows = {{1, 1}, {1, 2}, {1, 5}};
        assertThat(NonNegativeLeastSquares.solve(rows, new double[] {5, 7, 13}))
                .containsExactly(new double[] {3, 2}, offset(1e-9));
    }

    @Test
    void whatWouldBeNegativeIsZero() {
        double[][] rows = {{1, 1}, {1, 2}, {1, 3}};
        double[] x = NonNegativeLeastSquares.solve(rows, new double[] {1, 3, 5}); // -1 + 2 t without the bound
        assertThat(x[0]).isZero();
        assertThat(x[1]).isCloseTo((1 + 6 + 15) / 14.0, within(1e-9));
    }

    @Test
    void aDependentColumnKeepsZero() {
        double[][] rows = {{1, 2}, {3, 6}};
        double[] x = NonNegativeLeastSquares.solve(rows, new double[] {2, 6});
        assertThat(x[0] + 2 * x[1]).isCloseTo(2, within(1e-9));
        assertThat(x).contains(0);
    }

    @Test
    void aColumnOfZerosKeepsZero() {
        assertThat(NonNegativeLeastSquares.solve(new double[][] {{0, 1}, {0, 2}}, new double[] {1, 2}))
                .containsExactly(new double[] {0, 1}, offset(1e-9));
    }

    @Test
    void noStepFromTheSolutionIsBetter() {
        SplittableRandom random = new SplittableRandom(7);
        for (int round = 0; round < 200; round++) {
            int columns = 1 + random.nextInt(5);
            double[][] rows = new double[columns + random.nextInt(8)][columns];
            double[] values = new double[rows.length];
            for (int i = 0; i < rows.length; i++) {
                values[i] = random.nextDouble(-1, 2);
                for (int j = 0; j < columns; j++) {
                    rows[i][j] = random.nextDouble(-1, 1);
                }
            }
            double[] x = NonNegativeLeastSquares.solve(rows, values);
            double least = error(rows, values, x);
            for (int j = 0; j < columns; j++) {
                assertThat(x[j]).isGreaterThanOrEqualTo(0);
                for (double step : new double[] {1e-3, -1e-3}) {
                    double[] beside = x.clone();
                    beside[j] = Math.max(0, x[j] + step);
                    assertThat(error(rows, values, beside)).isGreaterThanOrEqualTo(least - 1e-9);
                }
            }
        }
    }

    private static double error(double[][] rows, double[] values, double[] x) {
        double error = 0;
        for (int i = 0; i < rows.length; i++) {
            double rest = values[i];
            for (int j = 0; j < x.length; j++) {
                rest -= rows[i][j] * x[j];
            }
            error += rest * rest;
        }
        return error;
    }

    @Test
    void rowsWithoutValuesAreRefused() {
        assertThatThrownBy(() -> NonNegativeLeastSquares.solve(new double[][] {{1}}, new double[0]))
                .isInstanceOf(IllegalArgumentException.class);
    }
}
