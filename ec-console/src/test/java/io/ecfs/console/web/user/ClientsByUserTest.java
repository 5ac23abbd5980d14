package io.ecfs.console.web.user;

import static org.assertj.core.api.Assertions.assertThat;

import io.ecfs.client.ClusterUri;
import io.ecfs.client.EcfsClient;
import io.ecfs.client.base.ClientConfig;
import io.ecfs.config.ConfigReader;
import io.ecfs.console.web.settings.ConsoleConfig;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class ClientsByUserTest {
    /** Nothing listens there: a client connects with its first call. */
    private static final String CLUSTER = "ecfs://127.0.0.1:1";

    private final ConsoleConfig config =
            ConfigReader.read(ConsoleConfig.class, "the test's settings", "cluster: \"" + CLUSTER + "\"", List.of());

    private static ClientsByUser.Key operator(String name) {
        return new ClientsByUser.Key(name, true);
    }

    @Test
    void aSlowResolverDelaysNoOtherUser() throws Exception {
        CountDownLatch asked = new CountDownLatch(1);
        CountDownLatch answered = new CountDownLatch(1);
        boolean[] slow = {false};
        ExecutorService other = Executors.newSingleThreadExecutor();
        try (ClientsByUser clients = new ClientsByUser(config, name -> {
            if (slow[0]) {
                asked.countDown();
                awaitQuietly(answered);
            }
            return ClusterUri.parse(name);
        })) {
            EcfsClient ann = clients.of(operator("ann"));
            slow[0] = true;
            Future<EcfsClient> bob = other.submit(() -> clients.of(operator("bob")));
            asked.await();
            assertThat(clients.of(operator("ann"))).isSameAs(ann);
            assertThat(bob.isDone()).isFalse();
            answered.countDown();
            assertThat(bob.get()).isNotSameAs(ann);
        } finally {
            other.shutdownNow();
        }
    }

    private static void awaitQuietly(CountDownLatch latch) {
        try {
            latch.await(1, TimeUnit.MINUTES);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Test
    void contextsOfDifferentAccountsDiffer() {
        String name = "n".repeat(ClientConfig.MOST_CONTEXT);
        List<String> accounts = List.of(
                "ann", "ann ", "\u00e4nn", "\u00f6nn", "?nn", "%C3%A4nn", "\u65e5\u672c", name, name + "a", name + "b");
        assertThat(accounts.stream().map(ClientsByUser::context)).doesNotHaveDuplicates();
    }

    @Test
    void aContextIsOneWordThatAClientMayHave() {
        assertThat(Stream.of("ann", "\u00e4nn via:root", "\t\n", "\u65e5".repeat(100))
                        .map(ClientsByUser::context))
                .allMatch(context -> context.matches("console:[!-~]+"))
                .allSatisfy(context -> assertThat(context.length()).isLessThanOrEqualTo(ClientConfig.MOST_CONTEXT));
        assertThat(ClientsByUser.context("ann@example.org")).isEqualTo("console:ann@example.org");
    }
}
