package io.ecfs.client.read.span;

import io.ecfs.client.base.ChunkSource;
import io.ecfs.code.ChunkSet;
import java.util.Objects;
import java.util.Optional;

/**
 * The way in which a span is to be read.
 *
 * @param planned chunks that a plan chose; others only take their place when those do not suffice. Empty: as a span
 *     alone is read
 * @param delta chunks more than suffice that are asked at once, as spares, as late binding does
 * @param spares of the chunks that are not planned those that are asked before others when delta calls for them
 * @param watch observes the requests
 * @param together the request for several blocks that it is a part of
 */
public record ReadStrategy(
        Optional<ChunkSet> planned, int delta, ChunkSet spares, SpanWatch watch, Optional<CoalescedReads> together) {
    public ReadStrategy {
        Objects.requireNonNull(planned, "planned");
        Objects.requireNonNull(spares, "spares");
        Objects.requireNonNull(watch, "watch");
        Objects.requireNonNull(together, "together");
    }

    /** The same without a plan. */
    ReadStrategy unplanned() {
        return new ReadStrategy(Optional.empty(), delta, ChunkSet.empty(), watch, together);
    }

    /** Asks for chunk bytes, together with others where it is a part of a request for several blocks. */
    SentRead send(ChunkSource chunks, ChunkSource.ChunkRead read) {
        return together.map(with -> with.read(read)).orElseGet(() -> new SentRead(chunks.read(read), read.bytes()));
    }

    /** Returns whether it asks for no more than the bytes themselves: no plan, no watch and no late binding. */
    boolean isDefault() {
        return planned.isEmpty() && delta == 0 && watch == SpanWatch.NONE;
    }

    /** The strategy of a span that no plan is for, as a part of a request for several. */
    public static ReadStrategy together(int delta, CoalescedReads with) {
        return new ReadStrategy(Optional.empty(), delta, ChunkSet.empty(), SpanWatch.NONE, Optional.of(with));
    }

    /** The strategy of a span that is read alone. */
    static ReadStrategy single(int delta) {
        return new ReadStrategy(Optional.empty(), delta, ChunkSet.empty(), SpanWatch.NONE, Optional.empty());
    }
}
