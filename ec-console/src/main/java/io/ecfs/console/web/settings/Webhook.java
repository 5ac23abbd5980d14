package io.ecfs.console.web.settings;

import io.ecfs.console.view.Severity;
import java.net.URI;
import java.net.URISyntaxException;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/**
 * A receiver of alerts by HTTP. Messages of errors have neither the URL nor the secret: both may be credentials.
 *
 * @param url {@code http} or {@code https}; redirects are not followed
 * @param secret key of the signature of each request; none is sent when empty
 * @param severities of the alerts that are sent; warning and critical when empty
 * @param timeout of one request, from the connection to the end of the reply; {@value #USUAL_SECONDS} s when empty
 */
public record Webhook(
        String url, Optional<String> secret, Optional<List<Severity>> severities, Optional<Duration> timeout) {
    private static final String NAME = "[a-z0-9][a-z0-9-]{0,31}";
    private static final int LEAST_SECRET = 16;
    private static final int USUAL_SECONDS = 10;
    private static final Duration LEAST_TIMEOUT = Duration.ofMillis(100);
    private static final Duration MOST_TIMEOUT = Duration.ofMinutes(1);

    public Webhook {
        uri(url);
        secret.ifPresent(key -> {
            if (key.length() < LEAST_SECRET) {
                throw new IllegalArgumentException(
                        "secret must have at least " + LEAST_SECRET + " characters: 'openssl rand -hex 32' makes one");
            }
        });
        if (severities.isPresent() && severities.get().isEmpty()) {
            throw new IllegalArgumentException("severities must name at least one of info, warning, critical");
        }
        timeout.ifPresent(time -> {
            if (time.compareTo(LEAST_TIMEOUT) < 0 || time.compareTo(MOST_TIMEOUT) > 0) {
                throw new IllegalArgumentException("timeout must be in [100ms, 1m]: " + time.toMillis() + " ms");
            }
        });
    }

    /** @throws IllegalArgumentException for a name that cannot be a file and a label of a metric */
    static void requireName(String name) {
        if (!name.matches(NAME)) {
            throw new IllegalArgumentException("the name of a webhook has up to 32 characters of a-z, 0-9 and '-', and"
                    + " does not begin with '-': '" + name + "'");
        }
    }

    private static URI uri(String url) {
        URI uri;
        try {
            uri = new URI(url);
        } catch (URISyntaxException e) {
            throw new IllegalArgumentException("url is malformed at character " + e.getIndex(), e);
        }
        String scheme = uri.getScheme() == null ? "" : uri.getScheme().toLowerCase(Locale.ROOT);
        if (!scheme.equals("http") && !scheme.equals("https")) {
            throw new IllegalArgumentException("url must begin with http:// or https://");
        }
        if (uri.getHost() == null || uri.getHost().isEmpty()) {
            throw new IllegalArgumentException("url has no valid host");
        }
        if (uri.getRawUserInfo() != null || uri.getRawFragment() != null) {
            throw new IllegalArgumentException("url must have no user, password or fragment");
        }
        return uri;
    }

    public URI uri() {
        return uri(url);
    }

    /** Severities of the alerts that are sent. */
    public Set<Severity> wanted() {
        return Set.copyOf(severities.orElse(List.of(Severity.WARNING, Severity.CRITICAL)));
    }

    public Duration patience() {
        return timeout.orElse(Duration.ofSeconds(USUAL_SECONDS));
    }

    /** Without what may be a credential. */
    @Override
    public String toString() {
        return "Webhook[" + uri().getHost() + "]";
    }
}
