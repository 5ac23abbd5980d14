package io.ecfs.client.name;

import io.ecfs.message.Address;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Namenodes as service records of DNS (RFC 2782): {@code _ecfs._tcp.NAME}, with the targets' ports. A name with a dot
 * is searched as it is and then below the search domains; one without a dot below the search domains alone. The first
 * name that has records decides. A server that does not answer ends the search, so that the wait is that of one query.
 */
final class SrvNames implements NameSource {
    private static final String SERVICE = "_ecfs._tcp.";

    private final SrvLookup dns;
    private final Supplier<List<String>> searchDomains;

    /** @param searchDomains read when a name is searched */
    SrvNames(SrvLookup dns, Supplier<List<String>> searchDomains) {
        this.dns = dns;
        this.searchDomains = searchDomains;
    }

    static SrvNames ofThisMachine() {
        return new SrvNames(
                new JndiSrvLookup(JndiSrvLookup.SYSTEM_SERVERS),
                new SearchDomains(SearchDomains.OF_THIS_MACHINE)::read);
    }

    @Override
    public Optional<List<Address>> find(ClusterName name, Search search) {
        List<String> queries = queries(name);
        for (String query : queries) {
            try {
                List<Address> found = addresses(dns.lookup(query));
                if (!found.isEmpty()) {
                    return Optional.of(found);
                }
            } catch (IOException e) {
                search.missed("DNS SRV " + query + " (" + e.getMessage() + ")");
                return Optional.empty();
            }
        }
        search.missed(
                queries.isEmpty()
                        ? "DNS skipped (no search domain in " + SearchDomains.OF_THIS_MACHINE + ")"
                        : "DNS SRV " + String.join(", ", queries));
        return Optional.empty();
    }

    private List<String> queries(ClusterName name) {
        List<String> queries = new ArrayList<>();
        if (name.text().indexOf('.') >= 0) {
            queries.add(SERVICE + name);
        }
        searchDomains.get().forEach(domain -> queries.add(SERVICE + name + "." + domain));
        return queries;
    }

    private static List<Address> addresses(List<SrvRecord> records) {
        return records.stream()
                .filter(record -> !record.target().isEmpty())
                .sorted(SrvRecord.PREFERENCE)
                .map(SrvRecord::address)
                .distinct()
                .toList();
    }
}
