package io.ecfs.client.name;

import java.util.Locale;
import java.util.regex.Pattern;

/**
 * Name of a cluster in lower case: labels of letters, digits and hyphens, separated by dots, as a host in a URI (RFC
 * 2396). Hadoop caches file systems by the authority in lower case, so names that differ in case are one name.
 */
public record ClusterName(String text) implements Comparable<ClusterName> {
    private static final int MAX_LENGTH = 200;
    private static final Pattern FORM =
            Pattern.compile("(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\\.)*[a-z](?:[a-z0-9-]*[a-z0-9])?");

    public ClusterName {
        if (text.length() > MAX_LENGTH || !FORM.matcher(text).matches()) {
            throw new IllegalArgumentException("'" + text + "' is no name of a cluster: at most " + MAX_LENGTH
                    + " lower-case letters, digits, '-' and '.', the last part begins with a letter");
        }
    }

    /** @throws IllegalArgumentException when the text, in lower case, is no name */
    public static ClusterName of(String text) {
        return new ClusterName(text.toLowerCase(Locale.ROOT));
    }

    /** True for a name, false for addresses, which have ports. */
    public static boolean isName(String authority) {
        return authority.indexOf(':') < 0 && authority.indexOf(',') < 0;
    }

    @Override
    public int compareTo(ClusterName other) {
        return text.compareTo(other.text);
    }

    @Override
    public String toString() {
        return text;
    }
}
