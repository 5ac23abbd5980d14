package io.ecfs.config;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * Fills configuration records. A key is the name of a record component, or its {@link Key}, dotted through nested
 * records: {@code control.heartbeat}. A key that is not given takes the value of the record's static {@code defaults()}; without
 * one it must be given, unless it is an {@link Optional}.
 */
public final class ConfigReader {
    private static final ObjectMapper YAML = new ObjectMapper(new YAMLFactory());

    private final String source;

    private ConfigReader(String source) {
        this.source = source;
    }

    /**
     * @param overrides {@code key=value}, each replacing what the file says
     * @throws ConfigException in one line: unknown key with the nearest, bad value, missing key
     * @throws IOException when the file cannot be read
     */
    public static <T extends Record> T read(Class<T> type, Path file, List<String> overrides) throws IOException {
        if (!Files.isReadable(file)) {
            throw new ConfigException("configuration file " + file + " does not exist or cannot be read");
        }
        return read(type, file.toString(), Files.readString(file), overrides);
    }

    /** As {@link #read(Class, Path, List)} from text; {@code source} names it in errors. */
    public static <T extends Record> T read(Class<T> type, String source, String yaml, List<String> overrides) {
        Map<String, Object> tree = parse(source, yaml);
        ConfigReader reader = new ConfigReader(source);
        for (String override : overrides) {
            reader.override(tree, override);
        }
        return type.cast(reader.fill(type, tree, Optional.empty(), ""));
    }

    /** A copy of {@code record} with some values replaced, each {@code key=value} as the overrides of {@link #read}. */
    public static <T extends Record> T with(T record, List<String> changes) {
        return with(record, "changed settings", changes);
    }

    /** As {@link #with(Record, List)}; {@code source} names the changes in errors. */
    public static <T extends Record> T with(T record, String source, List<String> changes) {
        ConfigReader reader = new ConfigReader(source);
        Map<String, Object> tree = new LinkedHashMap<>();
        for (String change : changes) {
            reader.override(tree, change);
        }
        @SuppressWarnings("unchecked") // fill makes what it is given
        T changed = (T) reader.fill(record.getClass(), tree, Optional.of(record), "");
        return changed;
    }

    /**
     * Settings of a file, as changes for {@link #with}: dotted keys of any record.
     *
     * @throws ConfigException in one line when it is not there or is not YAML
     */
    public static List<String> settings(Path file) throws IOException {
        if (!Files.isReadable(file)) {
            throw new ConfigException("configuration file " + file + " does not exist or cannot be read");
        }
        List<String> settings = new ArrayList<>();
        flatten("", parse(file.toString(), Files.readString(file)), settings);
        return settings;
    }

    private static void flatten(String prefix, Map<String, Object> tree, List<String> settings) {
        tree.forEach((key, value) -> {
            Optional<Map<String, Object>> below = asMap(value);
            if (below.isPresent()) {
                flatten(prefix + key + ".", below.get(), settings);
            } else {
                settings.add(prefix + key + "="
                        + (value instanceof List<?> several
                                ? several.stream().map(String::valueOf).collect(Collectors.joining(","))
                                : value));
            }
        });
    }

    private static Map<String, Object> parse(String source, String yaml) {
        if (yaml.isBlank()) {
            return new LinkedHashMap<>();
        }
        try {
            JsonNode tree = YAML.readTree(yaml);
            if (tree.isMissingNode() || tree.isNull()) { // comments alone
                return new LinkedHashMap<>();
            }
            return asMap(YAML.treeToValue(tree, Object.class))
                    .orElseThrow(() -> new ConfigException(source + ": expected keys and values at the top"));
        } catch (JsonProcessingException e) {
            int line = e.getLocation() == null ? 0 : e.getLocation().getLineNr();
            throw new ConfigException(
                    source + " line " + line + " is not YAML: "
                            + e.getOriginalMessage().lines().findFirst().orElse(""),
                    e);
        }
    }

    private void override(Map<String, Object> tree, String override) {
        int equals = override.indexOf('=');
        if (equals <= 0) {
            throw new ConfigException("-D takes key=value, got '" + override + "'");
        }
        String[] names = override.substring(0, equals).strip().split("\\.");
        Map<String, Object> at = tree;
        for (String name : Arrays.copyOf(names, names.length - 1)) {
            Map<String, Object> below = asMap(at.getOrDefault(name, Map.of())).orElseGet(LinkedHashMap::new);
            at.put(name, below);
            at = below;
        }
        String value = override.substring(equals + 1).strip();
        at.put(names[names.length - 1], value.contains(",") ? List.of(value.split("\\s*,\\s*")) : value);
    }

    private Object fill(Class<?> type, Map<String, Object> tree, Optional<Object> inherited, String prefix) {
        RecordComponent[] components = type.getRecordComponents();
        refuseUnknown(components, tree, prefix);
        Optional<Object> defaults = inherited.or(() -> defaults(type));
        Object[] values = new Object[components.length];
        Class<?>[] types = new Class<?>[components.length];
        for (int i = 0; i < components.length; i++) {
            RecordComponent component = components[i];
            types[i] = component.getType();
            Optional<Object> otherwise = defaults.map(d -> valueOf(component, d));
            values[i] = value(
                    component.getGenericType(),
                    Optional.ofNullable(tree.get(key(component))),
                    otherwise,
                    prefix + key(component));
        }
        return construct(type, types, values, prefix);
    }

    private Object value(Type type, Optional<Object> given, Optional<Object> otherwise, String key) {
        Class<?> raw = (Class<?>) (type instanceof ParameterizedType generic ? generic.getRawType() : type);
        if (raw == Optional.class) {
            Type inner = ((ParameterizedType) type).getActualTypeArguments()[0];
            return given.isEmpty()
                    ? otherwise.orElse(Optional.empty())
                    : Optional.of(value(inner, given, otherwise.flatMap(one -> (Optional<?>) one), key));
        }
        if (raw.isRecord() && !Scalars.isScalar(raw)) {
            if (given.isEmpty() && otherwise.isPresent()) {
                return otherwise.get();
            }
            Map<String, Object> below = asMap(given.orElse(Map.of()))
                    .orElseThrow(() -> bad(key, "expected keys and values below it, got " + kind(given.get())));
            return fill(raw, below, otherwise, key + ".");
        }
        if (given.isEmpty()) {
            return otherwise.orElseThrow(() -> new ConfigException(source + ": " + key + " must be given"));
        }
        if (raw == List.class) {
            return list(((ParameterizedType) type).getActualTypeArguments()[0], given.get(), key);
        }
        if (raw == Map.class) {
            return map(((ParameterizedType) type).getActualTypeArguments()[1], given.get(), key);
        }
        return scalar(raw, given.get(), key);
    }

    private List<Object> list(Type element, Object given, String key) {
        List<Object> elements = new ArrayList<>();
        for (Object one : given instanceof List<?> several ? several : List.of(given)) {
            elements.add(value(element, Optional.ofNullable(one), Optional.empty(), key + "[" + elements.size() + "]"));
        }
        return List.copyOf(elements);
    }

    private Map<String, Object> map(Type element, Object given, String key) {
        Map<String, Object> tree =
                asMap(given).orElseThrow(() -> bad(key, "expected names with values below it, got " + kind(given)));
        Map<String, Object> elements = new LinkedHashMap<>();
        tree.forEach((name, one) ->
                elements.put(name, value(element, Optional.ofNullable(one), Optional.empty(), key + "." + name)));
        return elements;
    }

    /** What a value is, without a word of it: it may hold a secret. */
    private static String kind(Object given) {
        if (given instanceof Map) {
            return "keys and values";
        }
        return given instanceof List ? "a list" : "one value";
    }

    private Object scalar(Class<?> type, Object given, String key) {
        if (given instanceof Map || given instanceof List) {
            throw bad(key, "expected one value, got " + kind(given));
        }
        try {
            return Scalars.parse(type, String.valueOf(given));
        } catch (IllegalArgumentException e) {
            throw bad(key, e.getMessage());
        }
    }

    private Object construct(Class<?> type, Class<?>[] types, Object[] values, String prefix) {
        try {
            var constructor = type.getDeclaredConstructor(types);
            constructor.setAccessible(true);
            return constructor.newInstance(values);
        } catch (InvocationTargetException e) {
            if (e.getCause() instanceof IllegalArgumentException refused) {
                throw bad(
                        prefix.isEmpty() ? "configuration" : prefix.substring(0, prefix.length() - 1),
                        refused.getMessage());
            }
            throw new IllegalStateException("constructor of " + type + " failed", e.getCause());
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(type + " is no configuration record", e);
        }
    }

    private void refuseUnknown(RecordComponent[] components, Map<String, Object> tree, String prefix) {
        List<String> known = Arrays.stream(components).map(ConfigReader::key).toList();
        for (String name : tree.keySet()) {
            if (!known.contains(name)) {
                throw new ConfigException(
                        source + ": no key '" + prefix + name + "'; nearest is '" + prefix + Nearest.to(name, known)
                                + "' (known: " + known.stream().sorted().collect(Collectors.joining(", ")) + ")");
            }
        }
    }

    private static String key(RecordComponent component) {
        Key named = component.getAnnotation(Key.class);
        return named == null ? component.getName() : named.value();
    }

    private ConfigException bad(String key, String why) {
        return new ConfigException(source + ": " + key + ": " + why);
    }

    private static Optional<Object> defaults(Class<?> type) {
        try {
            Method method = type.getDeclaredMethod("defaults");
            method.setAccessible(true);
            return Optional.of(method.invoke(null));
        } catch (NoSuchMethodException e) {
            return Optional.empty();
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("defaults() of " + type + " failed", e);
        }
    }

    private static Object valueOf(RecordComponent component, Object record) {
        try {
            Method accessor = component.getAccessor();
            accessor.setAccessible(true);
            return Objects.requireNonNull(accessor.invoke(record), component.getName());
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("cannot read " + component, e);
        }
    }

    private static Optional<Map<String, Object>> asMap(Object tree) {
        if (!(tree instanceof Map<?, ?> map)) {
            return Optional.empty();
        }
        Map<String, Object> copy = new LinkedHashMap<>();
        map.forEach((key, value) -> copy.put(String.valueOf(key), value));
        return Optional.of(copy);
    }
}
