package io.ecfs.namenode.user;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ecfs.env.ManualTime;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class GroupCacheTest {
    private static final Duration SOON = Duration.ofMillis(1);

    private final ManualTime time = new ManualTime(1);
    private final Map<String, List<String>> groups = new TreeMap<>(Map.of("ada", List.of("staff")));
    private final List<String> lookedUp = new ArrayList<>();
    private boolean down;
    private boolean broken;
    private final GroupCache cache = new GroupCache(this::lookUp, time.environment(), "nn0");

    private List<String> lookUp(String user) throws IOException {
        lookedUp.add(user);
        if (broken) {
            throw new IllegalStateException("a bug of the source");
        }
        if (down) {
            throw new IOException("the directory service does not answer");
        }
        return groups.getOrDefault(user, List.of());
    }

    private List<String> of(String user) {
        CompletableFuture<List<String>> answer = cache.of(user);
        time.advance(SOON);
        return answer.join();
    }

    @Test
    void theFirstRequestWaitsAndLaterOnesDoNot() {
        CompletableFuture<List<String>> first = cache.of("ada");
        CompletableFuture<List<String>> second = cache.of("ada");
        assertThat(first).isNotDone();
        time.advance(SOON);
        assertThat(first).isCompletedWithValue(List.of("staff"));
        assertThat(second).isCompletedWithValue(List.of("staff"));
        assertThat(cache.of("ada")).isCompletedWithValue(List.of("staff"));
        assertThat(lookedUp).containsExactly("ada");
    }

    @Test
    void anAnswerThatIsOldIsGivenOnceMoreAndAskedAnewMeanwhile() {
        of("ada");
        groups.put("ada", List.of("dev"));
        time.advance(GroupCache.FRESH);
        assertThat(cache.of("ada")).isCompletedWithValue(List.of("staff"));
        time.advance(SOON);
        assertThat(cache.of("ada")).isCompletedWithValue(List.of("dev"));
        assertThat(lookedUp).containsExactly("ada", "ada");
    }

    @Test
    void whatNobodyAskedForLongIsNotBelievedAnyMore() {
        of("ada");
        groups.put("ada", List.of());
        time.advance(GroupCache.USABLE);
        CompletableFuture<List<String>> later = cache.of("ada");
        assertThat(later).isNotDone();
        time.advance(SOON);
        assertThat(later).isCompletedWithValue(List.of());
    }

    @Test
    void thatAUserHasNoGroupsIsRememberedToo() {
        assertThat(of("eve")).isEmpty();
        assertThat(cache.of("eve")).isCompletedWithValue(List.of());
        assertThat(lookedUp).containsExactly("eve");
    }

    @Test
    void madeUpUsersPushNoOthersOutAndTheirNumberIsBounded() {
        of("ada");
        IntStream.rangeClosed(0, GroupCache.MOST_USERS).forEach(i -> of("made-up-" + i));
        lookedUp.clear();
        of("ada");
        of("made-up-" + GroupCache.MOST_USERS);
        assertThat(lookedUp).isEmpty();
        of("made-up-0");
        assertThat(lookedUp).containsExactly("made-up-0");
    }

    @Test
    void aFailedLookupLeavesTheGroupsAndIsRetriedSoon() {
        of("ada");
        down = true;
        time.advance(GroupCache.USABLE);
        assertThat(of("ada")).containsExactly("staff");
        assertThat(of("ben")).isEmpty();
        down = false;
        groups.put("ada", List.of("dev"));
        groups.put("ben", List.of("dev"));
        of("ben");
        assertThat(of("ben")).as("not asked again for every request").isEmpty();
        time.advance(GroupCache.RETRY);
        of("ada");
        of("ben");
        assertThat(of("ada")).containsExactly("dev");
        assertThat(of("ben")).containsExactly("dev");
    }

    @Test
    void aBugOfTheSourceFailsTheRequestAndTheNextOneLooksUpAgain() {
        broken = true;
        CompletableFuture<List<String>> first = cache.of("ada");
        CompletableFuture<List<String>> second = cache.of("ada");
        time.advance(SOON);
        for (CompletableFuture<List<String>> request : List.of(first, second)) {
            assertThat(request).isCompletedExceptionally();
            assertThatThrownBy(request::join)
                    .hasCauseInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("a bug of the source");
        }
        broken = false;
        assertThat(of("ada")).containsExactly("staff");
        assertThat(lookedUp).containsExactly("ada", "ada");
    }

    @Test
    void aBugOfTheSourceLeavesTheGroupsOfBeforeAsLongAsTheyAreUsable() {
        of("ada");
        broken = true;
        time.advance(GroupCache.FRESH);
        assertThat(of("ada")).containsExactly("staff");
        time.advance(GroupCache.USABLE);
        CompletableFuture<List<String>> later = cache.of("ada");
        time.advance(SOON);
        assertThat(later).isCompletedExceptionally();
    }

    @Test
    void whatIsNoNameIsNotLookedUp() {
        for (String user : List.of("", "-rf", "a b", "eve;reboot", "$(reboot)", "e\nvent=forged", "x".repeat(65))) {
            assertThat(cache.of(user)).isCompletedWithValue(List.of());
        }
        assertThat(lookedUp).isEmpty();
    }

    @Test
    void groupsThatAreNoNamesOrTooManyAreLeftOut() {
        List<String> many = new ArrayList<>(List.of("domain users", "staff", "staff"));
        IntStream.range(0, 100).forEach(i -> many.add("g" + i));
        groups.put("ada", many);
        assertThat(of("ada")).hasSize(GroupCache.MOST_GROUPS).startsWith("staff", "g0");
    }
}
