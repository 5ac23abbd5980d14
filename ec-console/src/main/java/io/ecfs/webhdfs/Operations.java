package io.ecfs.webhdfs;

import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;

/** The table of operations: all that HDFS's clients know (GetOpParam, PutOpParam, PostOpParam, DeleteOpParam). */
final class Operations {
    private static final Parameter<String> NAME = Parameter.text(Query.OP);

    /** Without {@code op}, HDFS's clients mean this one. */
    private static final String NONE = "NULL";

    private static final List<WebHdfsOperation> UNSUPPORTED = Stream.of(
                    unsupported(
                            Verb.GET,
                            NONE,
                            "GETALLSTORAGEPOLICY",
                            "GETSTORAGEPOLICY",
                            "GETECPOLICIES",
                            "GETECCODECS",
                            "GETLINKTARGET",
                            "GETSNAPSHOTDIFF",
                            "GETSNAPSHOTDIFFLISTING",
                            "GETSNAPSHOTLIST",
                            "GETSNAPSHOTTABLEDIRECTORYLIST",
                            "GETTRASHROOTS"),
                    unsupported(
                            Verb.PUT,
                            NONE,
                            "ALLOWSNAPSHOT",
                            "CREATESNAPSHOT",
                            "CREATESYMLINK",
                            "DISABLEECPOLICY",
                            "DISALLOWSNAPSHOT",
                            "ENABLEECPOLICY",
                            "RENAMESNAPSHOT",
                            "SATISFYSTORAGEPOLICY",
                            "SETQUOTABYSTORAGETYPE",
                            "SETSTORAGEPOLICY"),
                    unsupported(Verb.POST, NONE, "UNSETSTORAGEPOLICY"),
                    unsupported(Verb.DELETE, NONE, "DELETESNAPSHOT"))
            .flatMap(Collection::stream)
            .toList();

    private final Map<String, WebHdfsOperation> byName = new LinkedHashMap<>();

    Operations() {
        Stream.of(
                        StatusCalls.OPERATIONS,
                        NameCalls.OPERATIONS,
                        FileAttributeCalls.OPERATIONS,
                        AclCalls.OPERATIONS,
                        ByteCalls.OPERATIONS,
                        TokenCalls.OPERATIONS,
                        UNSUPPORTED)
                .flatMap(Collection::stream)
                .forEach(this::add);
    }

    private void add(WebHdfsOperation operation) {
        if (byName.putIfAbsent(key(operation.verb(), operation.name()), operation) != null) {
            throw new IllegalStateException(operation.verb() + " " + operation.name() + " is in the table twice");
        }
    }

    private static List<WebHdfsOperation> unsupported(Verb verb, String... names) {
        return Stream.of(names)
                .map(name -> WebHdfsOperation.unsupported(verb, name))
                .toList();
    }

    private static String key(Verb verb, String name) {
        return verb + " " + name;
    }

    /** @throws IllegalArgumentException for an operation that this HTTP method has not */
    WebHdfsOperation find(Verb verb, Query query) {
        String given = query.get(NAME);
        String name = given.isEmpty() ? NONE : given.toUpperCase(Locale.ROOT);
        WebHdfsOperation found = byName.get(key(verb, name));
        if (found == null) {
            throw verb.unknown(name);
        }
        return found;
    }

    Collection<WebHdfsOperation> all() {
        return byName.values();
    }
}
