package io.ecfs.namenode.audit;

import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Sender of a request.
 *
 * @param user that the connection's greeting named
 * @param address host of the connection's other end, without its port
 * @param context what the greeting says of the program, and of the person that it acts for; a claim, not a proof
 */
public record AuditCaller(String user, String address, String context) {
    /** The last word of a context: {@code client webhdfs via:hue}. */
    private static final Pattern VIA = Pattern.compile(" via:(\\S+)$");

    public AuditCaller {
        Objects.requireNonNull(user, "user");
        Objects.requireNonNull(address, "address");
        Objects.requireNonNull(context, "context");
    }

    /** HDFS's form of the user, and of a proxy user that the context names and that acts for it. */
    String ugi() {
        Matcher via = VIA.matcher(context);
        return via.find() ? user + " (auth:PROXY) via " + via.group(1) + " (auth:SIMPLE)" : user + " (auth:SIMPLE)";
    }
}
