package io.ecfs.webhdfs;

import io.ecfs.client.base.ClientConfig;
import io.ecfs.message.PrincipalName;
import java.io.IOException;
import java.util.Optional;
import java.util.Set;
import org.apache.hadoop.security.authorize.AuthorizationException;
import org.apache.hadoop.security.token.SecretManager.InvalidToken;

/**
 * The user of a request: the one that it names, as in an HDFS without security and as the namenodes believe clients
 * (docs/security.md). {@code doas} is for configured proxy users.
 */
final class Callers {
    /**
     * @param user whose rights a request has
     * @param proxy user who acts for the other one by {@code doas}
     */
    record Caller(String user, Optional<String> proxy) {
        /** For the namenodes' audit log, which prints the proxy in HDFS's form. */
        String context() {
            return "webhdfs" + proxy.map(name -> " " + ClientConfig.VIA + name).orElse("");
        }
    }

    private static final Parameter<String> USER = name("user.name");
    private static final Parameter<String> DO_AS = name("doas");
    private static final Parameter<String> TOKEN = Parameter.text("delegation");

    private final Set<String> proxyUsers;

    Callers(Set<String> proxyUsers) {
        this.proxyUsers = proxyUsers;
    }

    private static Parameter<String> name(String name) {
        return new Parameter<>(name, "", text -> {
            if (!PrincipalName.valid(text)) {
                throw new IllegalArgumentException("a user's name has " + PrincipalName.RULE);
            }
            return text;
        });
    }

    /** A proxy that appends the user whom it has authenticated would otherwise pass on another one before it. */
    private static void requireOnce(Query query, Parameter<String> parameter) {
        if (query.all(parameter).size() > 1) {
            throw Parameter.invalid(parameter.name(), "it is given twice");
        }
    }

    /**
     * @throws IllegalArgumentException when a user is named twice
     * @throws SecurityException when no user is named
     * @throws IOException for a delegation token, and for who may not act for others
     */
    Caller of(Query query) throws IOException {
        if (!query.get(TOKEN).isEmpty()) {
            throw new InvalidToken("there are no delegation tokens: this cluster has issued none");
        }
        requireOnce(query, USER);
        requireOnce(query, DO_AS);
        String user = query.get(USER);
        if (user.isEmpty()) {
            throw new SecurityException("Authentication required: name the user, as in user.name=alice");
        }
        String other = query.get(DO_AS);
        if (!other.isEmpty() && !proxyUsers.contains(user)) {
            throw new AuthorizationException("User: " + user + " is not allowed to impersonate " + other);
        }
        return other.isEmpty() ? new Caller(user, Optional.empty()) : new Caller(other, Optional.of(user));
    }
}
