package io.ecfs.client.name;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** Places that were searched for one name without success. For one thread. */
public final class Search {
    private final List<String> places = new ArrayList<>();
    private final TreeSet<ClusterName> known = new TreeSet<>();

    /** @param place to be read behind "searched" */
    public void missed(String place) {
        places.add(place);
    }

    /** Names that a place has. */
    public void known(Collection<ClusterName> names) {
        known.addAll(names);
    }

    /** One line: what is not known, what is, and where it was searched. */
    String failure(ClusterName name) {
        String names =
                known.isEmpty() ? "none" : known.stream().map(ClusterName::text).collect(Collectors.joining(", "));
        return "no cluster '" + name + "'; known: " + names + "; searched: " + String.join("; ", places)
                + " (a namenode without a name is written ecfs://host:port)";
    }
}
