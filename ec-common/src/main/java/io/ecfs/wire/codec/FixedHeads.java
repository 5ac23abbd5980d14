package io.ecfs.wire.codec;

import io.ecfs.message.Message;
import java.util.HashMap;
import java.util.Map;

/**
 * The fixed binary heads of a family of messages, by class. A lookup allocates nothing. Immutable after
 * {@link Builder#build}; safe for use by any thread.
 *
 * @param <W> where heads are written
 * @param <R> where heads are read
 */
final class FixedHeads<W, R> {
    /** Appends the head of a message. */
    @FunctionalInterface
    interface Encoder<M, W> {
        void encode(M message, W out);
    }

    /** Reads the head of a message: the fields in their order. */
    @FunctionalInterface
    interface Decoder<M, R> {
        /** @throws IllegalArgumentException or IndexOutOfBoundsException when the bytes are no such head */
        M decode(R in);
    }

    private record Head<W, R>(Encoder<Message, W> encoder, Decoder<? extends Message, R> decoder) {}

    private final Map<Class<?>, Head<W, R>> heads;

    private FixedHeads(Map<Class<?>, Head<W, R>> heads) {
        this.heads = heads;
    }

    static final class Builder<W, R> {
        private final Map<Class<?>, Head<W, R>> heads = new HashMap<>();

        private Builder() {}

        <M extends Message> Builder<W, R> head(
                Class<M> kind, Encoder<? super M, W> encoder, Decoder<? extends M, R> decoder) {
            Encoder<Message, W> ofAny = (message, out) -> encoder.encode(kind.cast(message), out);
            if (heads.putIfAbsent(kind, new Head<>(ofAny, decoder)) != null) {
                throw new IllegalStateException(kind.getName() + " has two heads");
            }
            return this;
        }

        FixedHeads<W, R> build() {
            return new FixedHeads<>(new HashMap<>(heads));
        }
    }

    static <W, R> Builder<W, R> builder() {
        return new Builder<>();
    }

    boolean covers(Class<? extends Message> kind) {
        return heads.containsKey(kind);
    }

    /** @throws IllegalArgumentException when messages of this class have no fixed head here */
    void encode(Message message, W out) {
        require(message.getClass()).encoder().encode(message, out);
    }

    /** @throws IllegalArgumentException or IndexOutOfBoundsException when the bytes are no such head */
    Message decode(Class<? extends Message> kind, R in) {
        return require(kind).decoder().decode(in);
    }

    private Head<W, R> require(Class<?> kind) {
        Head<W, R> head = heads.get(kind);
        if (head == null) {
            throw new IllegalArgumentException(kind.getName() + " has no fixed head");
        }
        return head;
    }
}
