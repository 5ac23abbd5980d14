package io.ecfs.console.local;

import static org.assertj.core.api.Assertions.assertThat;

import io.ecfs.layout.Policy;
import java.io.IOException;
import org.junit.jupiter.api.Test;

class ClusterPlanTest {

    @Test
    void aPlanTellsTheShapeItWasMadeOf() throws IOException {
        ClusterPlan.Shape shape = new ClusterPlan.Shape(Policy.parse("rs-3-2-64k"), 3, 7, 2, 4, 20_000);
        assertThat(ClusterPlan.of(shape).shape()).isEqualTo(shape);
    }
}
