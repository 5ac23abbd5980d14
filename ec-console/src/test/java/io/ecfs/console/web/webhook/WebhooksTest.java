package io.ecfs.console.web.webhook;

import static io.ecfs.console.web.webhook.Situations.healed;
import static io.ecfs.console.web.webhook.Situations.open;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.ecfs.console.view.Health.Level;
import io.ecfs.console.view.Severity;
import io.ecfs.console.web.settings.Webhook;
import io.ecfs.console.web.webhook.Sender.Backoff;
import io.ecfs.env.real.Metric;
import io.ecfs.env.real.RealEnvironment;
import io.ecfs.error.EcfsException;
import io.ecfs.error.ErrorCode;
import io.ecfs.message.report.Incident;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.IntUnaryOperator;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class WebhooksTest {
    private static final String SECRET = "0123456789abcdef";
    private static final Backoff QUICK = new Backoff(Duration.ofMillis(1), Duration.ofMillis(4));

    @TempDir
    private Path directory;

    private Receiver receiver;
    private Webhooks webhooks;

    private void start(IntUnaryOperator statuses) throws IOException {
        receiver = Receiver.start(statuses);
        restart();
    }

    /** As after a restart of the console. */
    private void restart() {
        if (webhooks != null) {
            webhooks.close();
        }
        Webhook webhook = new Webhook(
                receiver.url(),
                Optional.of(SECRET),
                Optional.of(List.of(Severity.WARNING, Severity.CRITICAL)),
                Optional.of(Duration.ofSeconds(20)));
        webhooks = Webhooks.start(
                Map.of("pager", webhook),
                directory.resolve("webhooks"),
                RealEnvironment.open().clock(),
                Duration.ZERO,
                QUICK);
    }

    @AfterEach
    void stop() {
        webhooks.close();
        receiver.close();
    }

    private ObjectNode state() {
        return webhooks.json().get(0);
    }

    private void awaitQuiet() {
        await("all notices to be settled")
                .atMost(Duration.ofSeconds(30))
                .until(() -> state().get("queued").asInt() == 0);
    }

    private void observe(Level level, boolean atRisk, Incident... incidents) {
        webhooks.observe(Situations.of(level, atRisk, incidents));
    }

    private void observeAndAwait(Level level, boolean atRisk, Incident... incidents) {
        observe(level, atRisk, incidents);
        awaitQuiet();
    }

    @Test
    void whatWasAcknowledgedIsNotSentAgainAfterARestart() throws Exception {
        start(request -> 204);
        observeAndAwait(Level.OK, false, open(1));
        restart();
        observeAndAwait(Level.OK, false, open(1));
        assertThat(receiver.acknowledged()).containsExactly("incident-1-opened");
    }

    @Test
    void whatHappenedWhileTheConsoleWasDownIsSent() throws Exception {
        start(request -> 204);
        observeAndAwait(Level.OK, false, open(1));
        restart();
        observeAndAwait(Level.OK, false, healed(1), healed(2), open(3));
        assertThat(receiver.acknowledged())
                .containsExactly(
                        "incident-1-opened",
                        "incident-1-healed",
                        "incident-2-opened",
                        "incident-2-healed",
                        "incident-3-opened");
    }

    @Test
    void theFirstIncidentIsSentThoughTheConsoleWasDown() throws Exception {
        start(request -> 204);
        observe(Level.OK, false);
        Path ledger = directory.resolve("webhooks").resolve("pager.json");
        await().atMost(Duration.ofSeconds(30)).until(() -> Files.exists(ledger));
        restart();
        observeAndAwait(Level.OK, false, healed(1));
        assertThat(receiver.acknowledged()).containsExactly("incident-1-opened", "incident-1-healed");
    }

    @Test
    void whatWasNotAcknowledgedIsSentAfterARestart() throws Exception {
        AtomicBoolean works = new AtomicBoolean();
        start(request -> works.get() ? 200 : 503);
        observe(Level.OK, false, open(1), open(2));
        await().atMost(Duration.ofSeconds(30)).until(() -> !receiver.requests().isEmpty());
        restart();
        works.set(true);
        observeAndAwait(Level.OK, false, open(1), open(2));
        // A request that was under way at the restart may be acknowledged, too.
        assertThat(receiver.acknowledged().stream().distinct())
                .containsExactly("incident-1-opened", "incident-2-opened");
    }

    @Test
    void aFailedRequestIsRepeatedWithItsIdUntilItIsTaken() throws Exception {
        start(request -> List.of(500, 302, 404, 200).get(Math.min(request, 3)));
        observeAndAwait(Level.OK, false, open(1));
        assertThat(receiver.requests()).hasSize(4);
        assertThat(receiver.requests()).extracting(Receiver.Request::id).containsOnly("incident-1-opened");
        assertThat(receiver.requests())
                .extracting(request -> request.headers().get("x-ecfs-delivery"))
                .containsOnly("incident-1-opened");
        assertThat(state().get("failedAttempts").asInt()).isEqualTo(3);
        assertThat(state().get("failure").isNull()).isTrue();
    }

    @Test
    void aRefusedDocumentDoesNotHoldUpTheNext() throws Exception {
        start(request -> request == 0 ? 422 : 200);
        observeAndAwait(Level.OK, false, open(1), open(2));
        assertThat(receiver.acknowledged()).containsExactly("incident-2-opened");
        assertThat(state().get("abandoned").asInt()).isEqualTo(1);
    }

    @Test
    void aReceiverOfCriticalGetsNoLossThatIsAWarning() throws Exception {
        receiver = Receiver.start(request -> 200);
        Webhook critical = new Webhook(
                receiver.url(), Optional.empty(), Optional.of(List.of(Severity.CRITICAL)), Optional.empty());
        webhooks = Webhooks.start(
                Map.of("pager", critical), directory, RealEnvironment.open().clock(), Duration.ZERO, QUICK);
        observeAndAwait(Level.WARNING, false, open(1));
        observeAndAwait(Level.CRITICAL, true, open(1));
        observeAndAwait(Level.OK, false, healed(1));
        assertThat(receiver.requests())
                .extracting(request -> request.headers().get("x-ecfs-event"))
                .containsExactly("incidentSeverityChanged", "healthChanged", "incidentHealed", "healthChanged");
        assertThat(receiver.requests().get(0).headers()).doesNotContainKey("x-ecfs-signature");
    }

    /** Computed by {@code openssl dgst -sha256 -hmac}. */
    @Test
    void theSignatureIsTheHmacOfTheBody() throws Exception {
        assertThat(Post.signature(SECRET, "{}".getBytes(StandardCharsets.UTF_8)))
                .isEqualTo("sha256=f91e3e9f05cc2df64ac1c26f8adccdffda8d1e4a7a8c50a1a08eeadac6ddfec5");
        start(request -> 200);
        observeAndAwait(Level.OK, false, open(1));
        Receiver.Request request = receiver.requests().get(0);
        assertThat(request.headers())
                .containsEntry("x-ecfs-signature", Post.signature(SECRET, request.body()))
                .containsEntry("content-type", "application/json");
    }

    @Test
    void theQueueIsBoundedAndNothingIsLost() throws Exception {
        int incidents = 3 * Sender.MOST_QUEUED;
        Incident[] many =
                LongStream.rangeClosed(1, incidents).mapToObj(Situations::open).toArray(Incident[]::new);
        start(request -> request < 2 ? 503 : 200);
        observe(Level.OK, false, many);
        assertThat(state().get("queued").asInt()).isLessThanOrEqualTo(Sender.MOST_QUEUED);
        for (int round = 0; round < 3; round++) {
            observeAndAwait(Level.OK, false, many);
        }
        assertThat(receiver.acknowledged()).hasSize(incidents).doesNotHaveDuplicates();
    }

    @Test
    void aTestMessageIsAnsweredWithTheStatusOfTheReply() throws Exception {
        start(request -> 202);
        assertThat(webhooks.test("pager").get("status").asInt()).isEqualTo(202);
        assertThat(receiver.requests().get(0).headers()).containsEntry("x-ecfs-event", "test");
    }

    @Test
    void aTestMessageThatIsRefusedSaysWhyAndNotWhere() throws Exception {
        start(request -> 403);
        assertThatThrownBy(() -> webhooks.test("pager"))
                .isInstanceOfSatisfying(
                        EcfsException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.INTERNAL))
                .hasMessageContaining("webhook pager did not acknowledge the message: HTTP 403")
                .hasMessageNotContaining("s3cret");
        assertThatThrownBy(() -> webhooks.test("chat")).hasMessageContaining("no webhook chat");
        assertThat(state().toString()).doesNotContain("s3cret");
    }

    @Test
    void aReceiverThatIsGoneIsUnknown() throws Exception {
        start(request -> 200);
        receiver.close();
        assertThatThrownBy(() -> webhooks.test("pager"))
                .isInstanceOfSatisfying(
                        EcfsException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.TIMEOUT));
    }

    @Test
    void metricsHaveTheNameOfTheWebhook() throws Exception {
        start(request -> 200);
        observeAndAwait(Level.OK, false, open(1));
        assertThat(Metric.text(webhooks.metrics(), false))
                .contains(
                        "ecfs_console_webhook_delivered_total{webhook=\"pager\"} 1",
                        "ecfs_console_webhook_queued{webhook=\"pager\"} 0");
    }
}
