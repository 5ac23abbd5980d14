package io.ecfs.webhdfs;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Parameters of a request's query; the body is never read for them. Names are in lower case, as HDFS's ParamFilter
 * makes them.
 */
final class Query {
    /** Name of the parameter that chooses the operation. */
    static final String OP = "op";

    private final Map<String, List<String>> values = new LinkedHashMap<>();

    /** @param raw as in the request line; null without one */
    Query(String raw) {
        if (raw == null) {
            return;
        }
        for (String part : raw.split("&", -1)) {
            int equals = part.indexOf('=');
            if (!part.isEmpty()) {
                String name = decoded(equals < 0 ? part : part.substring(0, equals));
                values.computeIfAbsent(name.toLowerCase(Locale.ROOT), key -> new ArrayList<>())
                        .add(equals < 0 ? "" : decoded(part.substring(equals + 1)));
            }
        }
    }

    /** Returns whether a part of the raw query is this parameter. */
    static boolean names(String part, Parameter<?> parameter) {
        int equals = part.indexOf('=');
        return decoded(equals < 0 ? part : part.substring(0, equals)).equalsIgnoreCase(parameter.name());
    }

    private static String decoded(String text) {
        return URLDecoder.decode(text, StandardCharsets.UTF_8);
    }

    /** @throws IllegalArgumentException for a value that cannot be parsed */
    <T> T get(Parameter<T> parameter) {
        List<String> given = values.get(parameter.name());
        return given == null ? parameter.usual() : parameter.parse(given.get(0));
    }

    /**
     * Value of a parameter that the operation needs.
     *
     * @throws IllegalArgumentException also where it is missing or empty
     */
    <T> T required(Parameter<T> parameter, String operation) {
        List<String> given = values.get(parameter.name());
        if (given == null || given.get(0).isEmpty()) {
            throw new IllegalArgumentException(
                    "Required param " + parameter.name() + " for op: " + operation + " is null or empty");
        }
        return parameter.parse(given.get(0));
    }

    /** All values of a parameter that may be repeated. */
    List<String> all(Parameter<String> parameter) {
        return List.copyOf(values.getOrDefault(parameter.name(), List.of()));
    }
}
