package io.ecfs.dispatch;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.BiFunction;

/**
 * A function of the records of a sealed type, with a case for each class of record. A lookup allocates nothing.
 *
 * @param <T> the sealed type
 * @param <C> the argument beside the record
 * @param <R> the result; {@code Void}, always null, where the cases are actions
 */
public final class FunctionTable<T, C, R> {
    private final Map<Class<?>, BiFunction<C, T, R>> cases;

    private FunctionTable(Map<Class<?>, BiFunction<C, T, R>> cases) {
        this.cases = cases;
    }

    /** Collects the cases of a table. Not safe for use by several threads. */
    public static final class Builder<T, C, R> {
        private final Class<T> sealed;
        private final Map<Class<?>, BiFunction<C, T, R>> cases = new HashMap<>();
        private final List<Set<Class<?>>> kinds = new ArrayList<>();

        private Builder(Class<T> sealed) {
            this.sealed = sealed;
        }

        /** The case of one class. */
        public <M extends T> Builder<T, C, R> on(
                Class<M> kind, BiFunction<? super C, ? super M, ? extends R> function) {
            return add(kind, (context, message) -> function.apply(context, kind.cast(message)));
        }

        /** The case of one class, without a result. */
        public <M extends T> Builder<T, C, R> run(Class<M> kind, BiConsumer<? super C, ? super M> action) {
            return add(kind, (context, message) -> {
                action.accept(context, kind.cast(message));
                return null;
            });
        }

        /** The case of several classes. */
        public Builder<T, C, R> on(Set<Class<?>> kinds, BiFunction<? super C, ? super T, ? extends R> function) {
            for (Class<?> kind : kinds) {
                add(kind, function::apply);
            }
            return this;
        }

        /** The case of several classes, without a result. */
        public Builder<T, C, R> run(Set<Class<?>> kinds, BiConsumer<? super C, ? super T> action) {
            for (Class<?> kind : kinds) {
                add(kind, (context, message) -> {
                    action.accept(context, message);
                    return null;
                });
            }
            return this;
        }

        /** One result for all records of some classes. */
        @SafeVarargs
        public final Builder<T, C, R> always(R result, Class<? extends T>... kinds) {
            for (Class<? extends T> kind : kinds) {
                add(kind, (context, message) -> result);
            }
            return this;
        }

        /** Does nothing for the records of some classes. */
        @SafeVarargs
        public final Builder<T, C, R> ignore(Class<? extends T>... kinds) {
            return always(null, kinds);
        }

        private Builder<T, C, R> add(Class<?> kind, BiFunction<C, T, R> function) {
            cases.put(kind, function);
            kinds.add(Set.of(kind));
            return this;
        }

        /** @throws IllegalStateException naming the records of the sealed type without a case, or with two */
        public FunctionTable<T, C, R> build() {
            HandlerTable.requireComplete(HandlerTable.records(sealed), kinds);
            return new FunctionTable<>(new HashMap<>(cases));
        }
    }

    public static <T, C, R> Builder<T, C, R> of(Class<T> sealed) {
        return new Builder<>(sealed);
    }

    public R apply(C context, T message) {
        return cases.get(message.getClass()).apply(context, message);
    }
}
