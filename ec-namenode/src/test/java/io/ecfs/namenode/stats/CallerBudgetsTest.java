package io.ecfs.namenode.stats;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** How much each caller may say of what it reads. */
class CallerBudgetsTest {
    private final CallerBudgets budgets = new CallerBudgets(Statistics.SETS_A_SECOND, Statistics.SETS_AT_ONCE);

    @Test
    void oneClientTellsAllThatItHasWhateverOthersTell() {
        for (int second = 0; second < 60; second++) {
            long late = second % 3 == 1 ? 400 : 0;
            for (int i = 0; i < 50; i++) {
                budgets.take("loud", 1000, 1000L * second + 20L * i);
            }
            assertThat(budgets.take("client", 200, 1000L * second + late))
                    .as("second %d", second)
                    .isEqualTo(200);
        }
    }

    @Test
    void whoeverTellsMoreIsHeardAtTheRateOfOneClient() {
        int taken = 0;
        for (int i = 0; i < 1000; i++) {
            taken += budgets.take("loud", 1000, 10L * i);
        }
        assertThat(taken)
                .isBetween(10 * Statistics.SETS_A_SECOND, Statistics.SETS_AT_ONCE + 10 * Statistics.SETS_A_SECOND);
        assertThat(budgets.take("loud", 1000, 60_000))
                .as("silence is not saved up")
                .isEqualTo(Statistics.SETS_AT_ONCE);
    }

    @Test
    void callersWithoutEndTakeNoMemoryWithoutEnd() {
        for (int i = 0; i < 5000; i++) {
            budgets.take("caller" + i, 1, i);
            budgets.take("x".repeat(10_000) + i, 1, i);
        }
        assertThat(budgets.callers()).isEqualTo(1000);
    }
}
