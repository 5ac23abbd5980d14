package io.ecfs.config;

import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;

/** Values that are one word in a configuration. */
final class Scalars {
    private static final Map<Class<?>, Function<String, Object>> KNOWN = Map.of(
            String.class, text -> text,
            Path.class, Path::of,
            Duration.class, Sizes::duration,
            int.class, text -> Math.toIntExact(Sizes.bytes(text)),
            long.class, Sizes::bytes,
            double.class, Double::valueOf,
            boolean.class, Scalars::truth,
            Boolean.class, Scalars::truth,
            Integer.class, text -> Math.toIntExact(Sizes.bytes(text)),
            Long.class, Sizes::bytes);

    private Scalars() {}

    /** True when values of the type are written as one word: not a list, and not a record of several components. */
    static boolean isScalar(Class<?> type) {
        return KNOWN.containsKey(type) || type.isEnum() || parser(type) != null || oneWordRecord(type) != null;
    }

    /** @throws IllegalArgumentException saying what is expected instead of {@code text} */
    static Object parse(Class<?> type, String text) {
        Function<String, Object> known = KNOWN.get(type);
        if (known != null) {
            try {
                return known.apply(text);
            } catch (ArithmeticException | NumberFormatException e) {
                throw new IllegalArgumentException("expected a number, got '" + text + "'", e);
            }
        }
        if (type.isEnum()) {
            return constant(type, text);
        }
        try {
            Method parser = parser(type);
            return parser != null
                    ? parser.invoke(null, text)
                    : oneWordRecord(type).newInstance(text);
        } catch (InvocationTargetException e) {
            throw new IllegalArgumentException(e.getCause().getMessage(), e.getCause());
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(type + " cannot be read from a configuration", e);
        }
    }

    private static Object truth(String text) {
        return switch (text.toLowerCase(Locale.ROOT)) {
            case "true", "on", "yes" -> true;
            case "false", "off", "no" -> false;
            default -> throw new IllegalArgumentException("expected true or false, got '" + text + "'");
        };
    }

    private static Object constant(Class<?> type, String text) {
        List<String> words = Arrays.stream(type.getEnumConstants())
                .map(c -> c.toString().toLowerCase(Locale.ROOT).replace('_', '-'))
                .toList();
        int at = words.indexOf(text.toLowerCase(Locale.ROOT).replace('_', '-'));
        if (at < 0) {
            throw new IllegalArgumentException("expected one of " + String.join(", ", words) + ", got '" + text
                    + "'; nearest is '" + Nearest.to(text, words) + "'");
        }
        return type.getEnumConstants()[at];
    }

    private static Method parser(Class<?> type) {
        try {
            Method method = type.getMethod("parse", String.class);
            return Modifier.isStatic(method.getModifiers()) && method.getReturnType() == type ? method : null;
        } catch (NoSuchMethodException e) {
            return null;
        }
    }

    private static Constructor<?> oneWordRecord(Class<?> type) {
        if (!type.isRecord() || type.getRecordComponents().length != 1) {
            return null;
        }
        try {
            return type.getConstructor(String.class);
        } catch (NoSuchMethodException e) {
            return null;
        }
    }
}
