package io.ecfs.dispatch;

import io.ecfs.error.EcfsException;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Handlers of the records of a sealed type, by class (Kafka: ApiKeys and their handlers in one place).
 *
 * @param <T> the sealed type
 * @param <C> what a handler gets beside the record: a transaction, the leader, the caller
 * @param <R> the result
 */
public final class HandlerTable<T, C, R> {
    /** Handles the records of one class. */
    @FunctionalInterface
    public interface Handler<C, M, R> {
        /** @throws EcfsException why the operation is refused */
        R handle(C context, M message) throws EcfsException;
    }

    private final Map<Class<?>, Handler<C, T, R>> handlers;

    private HandlerTable(Map<Class<?>, Handler<C, T, R>> handlers) {
        this.handlers = Collections.unmodifiableMap(handlers);
    }

    /** Collects the handlers of a table. Not safe for use by several threads. */
    public static final class Builder<T, C, R> {
        private final Map<Class<?>, Handler<C, T, R>> handlers = new LinkedHashMap<>();

        private Builder() {}

        /** @throws IllegalStateException when the class has a handler already */
        public <M extends T> Builder<T, C, R> on(Class<M> kind, Handler<? super C, ? super M, ? extends R> handler) {
            add(kind, (context, message) -> handler.handle(context, kind.cast(message)));
            return this;
        }

        /** Adds all handlers of another table. */
        public Builder<T, C, R> with(HandlerTable<T, C, R> family) {
            family.handlers.forEach(this::add);
            return this;
        }

        private void add(Class<?> kind, Handler<C, T, R> handler) {
            if (handlers.putIfAbsent(kind, handler) != null) {
                throw new IllegalStateException(name(kind) + " has two handlers");
            }
        }

        public HandlerTable<T, C, R> build() {
            return new HandlerTable<>(new LinkedHashMap<>(handlers));
        }
    }

    public static <T, C, R> Builder<T, C, R> builder() {
        return new Builder<>();
    }

    public boolean handles(T message) {
        return handlers.containsKey(message.getClass());
    }

    /**
     * @throws EcfsException why the operation is refused
     * @throws IllegalStateException when there is no handler for the record: {@link #requireComplete} excludes that
     */
    public R handle(C context, T message) throws EcfsException {
        Handler<C, T, R> handler = handlers.get(message.getClass());
        if (handler == null) {
            throw new IllegalStateException("no handler for " + name(message.getClass()));
        }
        return handler.handle(context, message);
    }

    /** The classes that have a handler. */
    public Set<Class<?>> kinds() {
        return handlers.keySet();
    }

    /**
     * Compares tables with a sealed type: together they have a handler for each of its records, and each record has
     * one.
     *
     * @throws IllegalStateException naming the records without a handler, or with two
     */
    public static void requireComplete(Stream<Class<?>> records, List<Set<Class<?>>> kinds) {
        Set<Class<?>> unhandled = records.collect(Collectors.toSet());
        Set<String> twice = new TreeSet<>();
        kinds.stream().flatMap(Set::stream).forEach(kind -> {
            if (!unhandled.remove(kind)) {
                twice.add(name(kind));
            }
        });
        Set<String> missing = unhandled.stream().map(HandlerTable::name).collect(Collectors.toCollection(TreeSet::new));
        if (!missing.isEmpty() || !twice.isEmpty()) {
            throw new IllegalStateException(
                    "operations without a handler: " + missing + "; with two, or of another type: " + twice);
        }
    }

    /** The records below a sealed type, also those below sealed types in it. */
    public static Stream<Class<?>> records(Class<?> sealed) {
        return sealed.isSealed()
                ? Arrays.stream(sealed.getPermittedSubclasses()).flatMap(HandlerTable::records)
                : Stream.of(sealed);
    }

    private static String name(Class<?> kind) {
        return kind.getName().replaceFirst("^.*\\.", "");
    }
}
