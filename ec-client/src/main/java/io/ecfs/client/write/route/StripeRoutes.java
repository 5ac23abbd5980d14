package io.ecfs.client.write.route;

import io.ecfs.code.construction.Codes;
import io.ecfs.error.ErrorCode;
import io.ecfs.layout.EncodingSide;
import io.ecfs.layout.Policy;
import io.ecfs.layout.WriteSide;
import io.ecfs.message.DatanodeId;
import io.ecfs.message.chunk.ChunkLocation;
import io.ecfs.message.namespace.LocatedGroup;
import io.ecfs.stripe.write.DirectRoute;
import io.ecfs.stripe.write.StripeRoute;
import io.ecfs.stripe.write.WriteToken;
import io.ecfs.wire.WireOptions;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.IntStream;

/** Chooses the way of each group's stripes. Owned by the client's owner thread; any thread reads the counts. */
public final class StripeRoutes {
    /** A stripe's data cells are answered together: they must fit into a connection's bytes in flight. */
    private static final long MOST_STRIPE_BYTES = WireOptions.defaults().maxBytesInFlight() / 2;

    private final RelayRoute.Services services;
    private final Codes codes;
    private final Optional<DatanodeId> wanted;
    private final MasterLoads masters;
    private final Map<Policy, SideChoice> sides = new HashMap<>();
    private final Map<ErrorCode, LongAdder> fallbacks = new ConcurrentHashMap<>();

    /** @param wanted the datanode that relays wherever it has a chunk of the group */
    public StripeRoutes(RelayRoute.Services services, Codes codes, Optional<DatanodeId> wanted) {
        this.services = services;
        this.codes = codes;
        this.wanted = wanted;
        this.masters = new MasterLoads(services.clock());
    }

    /** Routes that became direct since the client began, by the reason. */
    public Map<ErrorCode, Long> fallbacks() {
        Map<ErrorCode, Long> counts = new EnumMap<>(ErrorCode.class);
        fallbacks.forEach((reason, count) -> counts.put(reason, count.sum()));
        return counts;
    }

    /**
     * The way of a group's stripes.
     *
     * @param writer the number that its chunks are opened with
     * @param owner runs what follows from answers on the owner thread
     * @param avoid datanodes that are not asked to relay
     * @param atFallback called when a route through another datanode becomes direct
     */
    public StripeRoute of(
            EncodingSide side,
            LocatedGroup group,
            long writer,
            WriteToken token,
            Executor owner,
            Set<DatanodeId> avoid,
            Runnable atFallback) {
        if (side == EncodingSide.CLIENT) {
            return new DirectRoute(services.client(), writer, token::now);
        }
        SideChoice choice = sides.computeIfAbsent(group.policy(), policy -> new SideChoice());
        boolean relays = side.fixed().orElseGet(choice::next) == WriteSide.MASTER;
        return new RelayRoute(
                services,
                new RelayRoute.Measured(choice, masters),
                group,
                codes.of(group.policy().code()),
                relays ? master(group, avoid) : Optional.empty(),
                writer,
                token,
                owner,
                reason -> {
                    fallbacks
                            .computeIfAbsent(reason.code(), code -> new LongAdder())
                            .increment();
                    atFallback.run();
                });
    }

    /**
     * The wanted one's chunk, or the less loaded of two, others for each group, so that all datanodes encode; none for
     * a group that lacks a chunk, was given without a relay token (feature level 1), or has larger stripes than a
     * connection takes at once.
     */
    private Optional<ChunkLocation> master(LocatedGroup group, Set<DatanodeId> avoid) {
        List<ChunkLocation> chunks = group.chunks();
        if (chunks.size() < group.policy().chunks()
                || group.relay().isEmpty()
                || group.policy().stripeBytes() > MOST_STRIPE_BYTES) {
            return Optional.empty();
        }
        Optional<ChunkLocation> ofWanted = chunks.stream()
                .filter(chunk -> wanted.filter(chunk.datanode()::equals).isPresent())
                .findFirst();
        if (ofWanted.isPresent() && !avoid.contains(ofWanted.get().datanode())) {
            return ofWanted;
        }
        int first = (int) (group.group().value() % chunks.size());
        return IntStream.range(0, chunks.size())
                .mapToObj(i -> chunks.get((first + i) % chunks.size()))
                .filter(chunk -> !avoid.contains(chunk.datanode()))
                .limit(2)
                .reduce((one, other) ->
                        masters.lessLoaded(one.datanode(), other.datanode()).equals(one.datanode()) ? one : other);
    }
}
