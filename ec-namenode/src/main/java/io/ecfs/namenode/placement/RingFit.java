package io.ecfs.namenode.placement;

import io.ecfs.layout.Policy;
import io.ecfs.layout.Ring;
import io.ecfs.message.DatanodeId;
import io.ecfs.message.VolumeId;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/**
 * Whether a ring serves a policy: there are colours with which its groups tolerate the writers, and a datanode of its
 * own for each of their chunks while all volumes work. Pure.
 *
 * @param name of the ring
 * @param colourOf of its volumes that take chunks
 * @param ownerOf their datanodes
 */
public record RingFit(String name, Ring shape, Map<VolumeId, Integer> colourOf, Map<VolumeId, DatanodeId> ownerOf) {
    public RingFit {
        Objects.requireNonNull(name, "name");
        Objects.requireNonNull(shape, "shape");
        colourOf = Map.copyOf(colourOf);
        ownerOf = Map.copyOf(ownerOf);
    }

    /** Why it does not serve the policy, in one line with what helps; empty: it does. */
    public Optional<String> refusal(Policy policy) {
        int most = Ring.mostWriters(policy.code(), shape.colours());
        if (shape.writers() > most) {
            return Optional.of("groups under " + policy + " tolerate at most " + most + " writers of " + shape.colours()
                    + " colours, ring " + name + " has " + shape.writers()
                    + (most == 0
                            ? ": take a code with more parity, or a ring of more colours"
                            : ": 'ecfs ring set " + name + " --writers " + most + "' first"));
        }
        int datanodes = Set.copyOf(ownerOf.values()).size();
        if (datanodes < policy.chunks()) {
            return Optional.of("groups under " + policy + " have " + policy.chunks()
                    + " chunks on as many datanodes, ring " + name + " has volumes on " + datanodes
                    + ": 'ecfs ring add "
                    + name + "' volumes of others, or take a policy of at most " + datanodes + " chunks");
        }
        int places = RingPlacement.places(shape, policy.code(), colourOf, ownerOf);
        return places < policy.chunks()
                ? Optional.of("of the " + policy.chunks() + " chunks of a group under " + policy + " only " + places
                        + " find datanodes of their own, since colours of ring " + name
                        + " share datanodes: 'ecfs ring add " + name + "' volumes of others")
                : Optional.empty();
    }
}
