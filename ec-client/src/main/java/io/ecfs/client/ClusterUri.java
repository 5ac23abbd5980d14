package io.ecfs.client;

import io.ecfs.message.Address;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * URI of a cluster: {@code ecfs://host:port[,host:port...]}, any of its namenodes in any order.
 *
 * @param namenodes at least one, in the order given
 */
public record ClusterUri(List<Address> namenodes) {
    public static final String SCHEME = "ecfs";

    public ClusterUri {
        namenodes = List.copyOf(namenodes);
        if (namenodes.isEmpty()) {
            throw new IllegalArgumentException("a cluster needs at least one namenode address");
        }
    }

    /** @throws IllegalArgumentException naming the part that is wrong */
    public static ClusterUri of(URI uri) {
        String form = "; the form is ecfs://host:port[,host:port...]";
        if (!SCHEME.equalsIgnoreCase(uri.getScheme())) {
            throw new IllegalArgumentException("'" + uri + "' is not of scheme " + SCHEME + form);
        }
        String authority = uri.getRawAuthority();
        if (authority == null || authority.isEmpty()) {
            throw new IllegalArgumentException("'" + uri + "' names no namenode" + form);
        }
        List<Address> addresses = new ArrayList<>();
        for (String part : authority.split(",", -1)) {
            try {
                addresses.add(Address.parse(part));
            } catch (IllegalArgumentException e) {
                throw new IllegalArgumentException("'" + uri + "': " + e.getMessage() + form, e);
            }
        }
        return new ClusterUri(addresses.stream().distinct().toList());
    }

    public static ClusterUri parse(String text) {
        return of(URI.create(text));
    }

    @Override
    public String toString() {
        return SCHEME + "://" + namenodes.stream().map(Address::toString).collect(Collectors.joining(","));
    }
}
