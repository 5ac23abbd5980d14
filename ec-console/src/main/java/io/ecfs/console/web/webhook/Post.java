package io.ecfs.console.web.webhook;

import io.ecfs.console.web.settings.Webhook;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.HexFormat;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * Requests to one receiver. The reply's status decides, its body is discarded. Redirects are failures: they could lead
 * a document, and a signature, to another host. Any thread.
 */
final class Post {
    private static final String HMAC = "HmacSHA256";
    private static final int LEAST_DONE = 200;
    private static final int MOST_DONE = 299;
    /** The receiver does not take this document, however often it comes (RFC 9110). */
    private static final Set<Integer> REFUSED = Set.of(400, 413, 422);

    private final Webhook webhook;
    private final HttpClient client;

    Post(Webhook webhook) {
        this.webhook = webhook;
        this.client = HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .followRedirects(HttpClient.Redirect.NEVER)
                .connectTimeout(webhook.patience())
                .build();
    }

    /**
     * Result of one request.
     *
     * @param status of the reply; 0 for none
     * @param reason of a failure, for operators; empty when it was taken
     */
    record Outcome(int status, String reason) {
        boolean taken() {
            return reason.isEmpty();
        }

        /** True when the same document will be refused again. */
        boolean refused() {
            return REFUSED.contains(status);
        }

        /** True when the receiver may have the document all the same. */
        boolean unknown() {
            return status == 0;
        }
    }

    /** Waits for the reply, at most for the time-out of the webhook. */
    Outcome send(Notice notice) throws InterruptedException {
        byte[] body = notice.bytes();
        HttpRequest.Builder request = HttpRequest.newBuilder(webhook.uri())
                .timeout(webhook.patience())
                .header("Content-Type", "application/json")
                .header("User-Agent", "ecfs-console")
                .header("X-Ecfs-Event", notice.event().text())
                .header("X-Ecfs-Delivery", notice.id())
                .POST(BodyPublishers.ofByteArray(body));
        webhook.secret().ifPresent(key -> request.header("X-Ecfs-Signature", signature(key, body)));
        CompletableFuture<HttpResponse<Void>> reply = client.sendAsync(request.build(), BodyHandlers.discarding());
        try {
            int status = reply.get(webhook.patience().toMillis(), TimeUnit.MILLISECONDS)
                    .statusCode();
            boolean done = status >= LEAST_DONE && status <= MOST_DONE;
            return new Outcome(status, done ? "" : "HTTP " + status);
        } catch (TimeoutException e) {
            return new Outcome(0, "no reply within " + webhook.patience().toMillis() + " ms");
        } catch (ExecutionException e) {
            return new Outcome(0, reason(e.getCause()));
        } finally {
            reply.cancel(true);
        }
    }

    private static String reason(Throwable failure) {
        String name = failure.getClass().getSimpleName();
        return failure.getMessage() == null ? name : name + ": " + failure.getMessage();
    }

    /** {@code sha256=} and the HMAC-SHA256 (RFC 2104) of the body in hexadecimal digits. */
    static String signature(String secret, byte[] body) {
        try {
            Mac mac = Mac.getInstance(HMAC);
            mac.init(new SecretKeySpec(secret.getBytes(StandardCharsets.UTF_8), HMAC));
            return "sha256=" + HexFormat.of().formatHex(mac.doFinal(body));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every Java platform has " + HMAC, e);
        }
    }
}
