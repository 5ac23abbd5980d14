package io.ecfs.client;

import io.ecfs.client.name.ClusterName;
import io.ecfs.client.name.ClusterNames;
import io.ecfs.error.EcfsException;
import io.ecfs.message.Address;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Namenodes that a URI names. Its authority is a logical name, {@code ecfs://prod}, or any of the cluster's namenodes
 * in any order, {@code ecfs://host:port[,host:port...]}. A name has no port, so {@code ecfs://prod:9700} is a host
 * (compare HDFS's logical URIs).
 *
 * @param namenodes at least one, in the order given
 */
public record ClusterUri(List<Address> namenodes) {
    public static final String SCHEME = "ecfs";

    private static final String SCHEME_MARK = "://";
    private static final String FORM = "; the form is ecfs://NAME or ecfs://host:port[,host:port...]";

    public ClusterUri {
        namenodes = List.copyOf(namenodes);
        if (namenodes.isEmpty()) {
            throw new IllegalArgumentException("a cluster needs at least one namenode address");
        }
    }

    /**
     * Resolves a URI.
     *
     * @throws IllegalArgumentException naming the part that is wrong
     * @throws EcfsException {@code INVALID_ARGUMENT} when no source has the name, or one cannot be used
     */
    public static ClusterUri resolve(URI uri, ClusterNames names) throws EcfsException {
        String authority = authority(uri);
        return ClusterName.isName(authority)
                ? new ClusterUri(names.resolve(name(uri, authority)))
                : new ClusterUri(addresses(uri, authority));
    }

    /** As {@link #resolve(URI, ClusterNames)}, from what {@link #complete} takes and the sources of this process. */
    public static ClusterUri resolve(String text) throws EcfsException {
        return resolve(URI.create(complete(text)), ClusterNames.ofThisProcess());
    }

    /** The URI that a person means: a name or a list may stand without the scheme. */
    public static String complete(String text) {
        return text.contains(SCHEME_MARK) ? text : SCHEME + SCHEME_MARK + text;
    }

    /**
     * Parses a URI with addresses; nothing is resolved.
     *
     * @throws IllegalArgumentException naming the part that is wrong
     */
    public static ClusterUri parse(String text) {
        URI uri = URI.create(text);
        return new ClusterUri(addresses(uri, authority(uri)));
    }

    private static String authority(URI uri) {
        if (!SCHEME.equalsIgnoreCase(uri.getScheme())) {
            throw new IllegalArgumentException("'" + uri + "' is not of scheme " + SCHEME + FORM);
        }
        String authority = uri.getRawAuthority();
        if (authority == null || authority.isEmpty()) {
            throw new IllegalArgumentException("'" + uri + "' names no cluster" + FORM);
        }
        return authority;
    }

    private static ClusterName name(URI uri, String authority) {
        try {
            return ClusterName.of(authority);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("'" + uri + "': " + e.getMessage() + FORM, e);
        }
    }

    private static List<Address> addresses(URI uri, String authority) {
        try {
            return addresses(authority);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("'" + uri + "': " + e.getMessage() + FORM, e);
        }
    }

    /**
     * Parses {@code host:port[,host:port...]}.
     *
     * @throws IllegalArgumentException naming the part that is wrong
     */
    public static List<Address> addresses(String list) {
        List<Address> addresses = new ArrayList<>();
        for (String part : list.split(",", -1)) {
            addresses.add(Address.parse(part.strip()));
        }
        return addresses.stream().distinct().toList();
    }

    @Override
    public String toString() {
        return SCHEME + SCHEME_MARK + namenodes.stream().map(Address::toString).collect(Collectors.joining(","));
    }
}
