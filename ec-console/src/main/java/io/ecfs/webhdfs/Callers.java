package io.ecfs.webhdfs;

import io.ecfs.message.PrincipalName;
import java.io.IOException;
import java.util.Set;
import org.apache.hadoop.security.authorize.AuthorizationException;
import org.apache.hadoop.security.token.SecretManager.InvalidToken;

/**
 * The user of a request: the one that it names, as in an HDFS without security and as the namenodes believe clients
 * (docs/security.md). {@code doas} is for configured proxy users.
 */
final class Callers {
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

    /**
     * @throws SecurityException when no user is named
     * @throws IOException for a delegation token, and for who may not act for others
     */
    String user(Query query) throws IOException {
        if (!query.get(TOKEN).isEmpty()) {
            throw new InvalidToken("there are no delegation tokens: this cluster has issued none");
        }
        String user = query.get(USER);
        if (user.isEmpty()) {
            throw new SecurityException("Authentication required: name the user, as in user.name=alice");
        }
        String other = query.get(DO_AS);
        if (!other.isEmpty() && !proxyUsers.contains(user)) {
            throw new AuthorizationException("User: " + user + " is not allowed to impersonate " + other);
        }
        return other.isEmpty() ? user : other;
    }
}
