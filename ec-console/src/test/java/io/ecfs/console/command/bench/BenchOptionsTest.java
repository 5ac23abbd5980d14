package io.ecfs.console.command.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ecfs.bench.BenchPlan;
import io.ecfs.bench.WorkloadKind;
import io.ecfs.layout.Policy;
import java.util.List;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.ParameterException;

class BenchOptionsTest {
    private static final List<WorkloadKind> ALL = List.of(WorkloadKind.values());

    @Command(name = "bench")
    private static final class Bench {
        @Mixin
        private BenchOptions options = new BenchOptions();
    }

    private static BenchOptions options(String... arguments) {
        Bench bench = new Bench();
        new CommandLine(bench).parseArgs(arguments);
        return bench.options;
    }

    @Test
    void withoutOptionsAPlanHasTheDefaults() {
        BenchPlan plan = options().plan(ALL);
        assertThat(plan.policies()).containsExactly(Policy.parse("rs-6-3-1024k"));
        assertThat(plan.repetitions()).isEqualTo(3);
    }

    @Test
    void aQuickPlanRunsOnce() {
        assertThat(options("--quick").plan(ALL).repetitions()).isEqualTo(1);
        assertThat(options("--quick", "--reps", "4").plan(ALL).repetitions()).isEqualTo(4);
    }

    @Test
    void comparedPoliciesAreEachThereOnce() {
        assertThat(options("--compare", "rs-3-2,replication-3,rs-3-2").plan(ALL).policies())
                .containsExactly(Policy.parse("rs-3-2"), Policy.parse("replication-3"));
    }

    @Test
    void policyAndCompareExcludeEachOther() {
        BenchOptions both = options("--policy", "rs-3-2", "--compare", "rs-6-3");
        assertThatThrownBy(() -> both.plan(ALL))
                .hasMessage("--policy and --compare both name policies: use one of them");
    }

    @Test
    void badValuesAreWrongUsage() {
        for (String[] bad : List.of(
                new String[] {"--policy", "raid-5"},
                new String[] {"--size", "much"},
                new String[] {"--threads", "many"},
                new String[] {"--cluster", "ecfs://a:1", "--datanodes", "3"})) {
            assertThatThrownBy(() -> options(bad)).isInstanceOf(ParameterException.class);
        }
    }

    @Test
    void aGivenClusterKeepsItsDatanodes() {
        BenchOptions given = options("--cluster", "ecfs://host:1");
        for (WorkloadKind kind : WorkloadKind.values()) {
            BenchPlan plan = given.plan(List.of(kind));
            if (kind.takesDatanodesOut()) {
                assertThatThrownBy(() -> given.requireOwnClusterFor(plan))
                        .hasMessageEndingWith(", or name the other workloads");
            } else {
                given.requireOwnClusterFor(plan);
            }
        }
    }
}
