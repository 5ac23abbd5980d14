package io.ecfs.client.base;

import static org.assertj.core.api.Assertions.assertThat;

import io.ecfs.env.ManualTime;
import io.ecfs.layout.GroupId;
import io.ecfs.message.namespace.AccessSet;
import io.ecfs.message.namespace.NamespaceRequest.ReportAccesses;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** What a client tells of what it reads together. */
class AccessSamplesTest {
    private final ManualTime time = new ManualTime(1);
    private final List<ReportAccesses> told = new ArrayList<>();
    private final AccessSamples samples = new AccessSamples(time, time.scheduler("client"), told::add);

    private static List<GroupId> groups(long... numbers) {
        return LongStream.of(numbers).mapToObj(GroupId::new).toList();
    }

    @Test
    void requestsAreToldInOneMessageASecond() {
        samples.together(groups(1, 2, 2));
        samples.together(groups(3));
        assertThat(told).isEmpty();
        time.advance(Duration.ofSeconds(1));
        assertThat(told)
                .containsExactly(
                        new ReportAccesses(List.of(new AccessSet(groups(1, 2), 1), new AccessSet(groups(3), 1))));
        time.advance(Duration.ofMinutes(1));
        assertThat(told).as("nothing is told of nothing").hasSize(1);
    }

    @Test
    void filesOpenedWithinAMomentAreOneSet() {
        samples.opened(groups(1));
        time.advance(Duration.ofMillis(50));
        samples.opened(groups(2, 3));
        time.advance(Duration.ofMillis(200));
        samples.opened(groups(4));
        time.advance(Duration.ofSeconds(1));
        assertThat(told.get(0).sets()).containsExactly(new AccessSet(groups(1, 2, 3), 1), new AccessSet(groups(4), 1));
    }

    @Test
    void ofManyASampleIsToldThatStandsForAll() {
        for (int i = 1; i <= 50 * AccessSamples.MOST_SETS; i++) {
            samples.together(groups(i));
        }
        time.advance(Duration.ofSeconds(1));
        assertThat(told.get(0).sets()).hasSize(AccessSamples.MOST_SETS).allMatch(set -> set.weight() == 50);
    }
}
