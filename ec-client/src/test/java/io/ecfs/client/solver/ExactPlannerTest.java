package io.ecfs.client.solver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.ecfs.plan.AccessCost;
import io.ecfs.plan.BlockNeed;
import io.ecfs.plan.Candidate;
import io.ecfs.plan.ExhaustivePlanner;
import io.ecfs.plan.JointPlan;
import io.ecfs.plan.JointPlanner;
import io.ecfs.plan.RandomNeeds;
import io.ecfs.plan.SiteCosts;
import java.io.File;
import java.net.URL;
import java.net.URLClassLoader;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

class ExactPlannerTest {
    @Test
    @EnabledOnOs(value = OS.LINUX, architectures = "amd64")
    void equalsTheBestOfAllPlans() {
        JointPlanner exact = ExactPlanner.open(Duration.ofSeconds(5));
        for (int seed = 0; seed < 1000; seed++) {
            RandomNeeds needs = RandomNeeds.of(new Random(seed), seed % 10 != 0);
            Optional<JointPlan> plan = exact.plan(needs.blocks(), needs.costs());
            Optional<JointPlan> best = new ExhaustivePlanner().plan(needs.blocks(), needs.costs());
            assertThat(plan.isPresent()).as("seed %d", seed).isEqualTo(best.isPresent());
            if (best.isPresent()) {
                assertThat(plan.get().cost())
                        .as("seed %d", seed)
                        .isEqualTo(best.get().cost(), within(1e-6))
                        .isEqualTo(AccessCost.of(needs.blocks(), plan.get().chunks(), needs.costs()), within(1e-9));
            }
        }
    }

    @Test
    @EnabledOnOs(value = OS.LINUX, architectures = "amd64")
    void givesWhatItHasWhenItsTimeIsOver() {
        Random random = new Random(3);
        List<BlockNeed> blocks = IntStream.range(0, 100)
                .mapToObj(block -> BlockNeed.anyOf(
                        3,
                        IntStream.range(0, 8)
                                .mapToObj(i -> new Candidate(i, random.nextInt(64), 1 + random.nextInt(1000)))
                                .toList()))
                .toList();
        SiteCosts costs = SiteCosts.uniform(300, 1);
        JointPlanner exact = ExactPlanner.open(Duration.ofMillis(20)); // which loads a library
        long began = System.nanoTime();

        Optional<JointPlan> plan = exact.plan(blocks, costs);

        assertThat(Duration.ofNanos(System.nanoTime() - began)).isLessThan(Duration.ofMinutes(1));
        plan.ifPresent(found ->
                assertThat(found.cost()).isEqualTo(AccessCost.of(blocks, found.chunks(), costs), within(1e-6)));
    }

    @Test
    void findsNoPlanAndSaysSoWithoutALibrary() throws Exception {
        // The same classes, found where OR-Tools is not.
        URL[] places = Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
                .filter(place -> !place.contains("ortools"))
                .map(place -> {
                    try {
                        return new File(place).toURI().toURL();
                    } catch (java.net.MalformedURLException e) {
                        throw new AssertionError(e);
                    }
                })
                .toArray(URL[]::new);
        try (URLClassLoader without = new URLClassLoader(places, ClassLoader.getPlatformClassLoader())) {
            Object planner = without.loadClass(ExactPlanner.class.getName())
                    .getMethod("open", Duration.class)
                    .invoke(null, Duration.ofSeconds(1));
            Class<?> port = without.loadClass(JointPlanner.class.getName());
            Object plan = port.getMethod("plan", List.class, without.loadClass("io.ecfs.plan.SiteCosts"))
                    .invoke(planner, List.of(), null);
            assertThat(plan).isEqualTo(Optional.empty());
        }
    }
}
