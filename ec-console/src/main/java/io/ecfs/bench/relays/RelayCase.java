package io.ecfs.bench.relays;

import io.ecfs.layout.Policy;
import io.ecfs.transfer.ChunkPayload;
import java.util.List;
import java.util.Locale;

/** Bounds of the datanode through which all writers go. */
public enum RelayCase {
    /** As configured. */
    CONFIGURED("dn0"),
    /** Relays for a quarter of the writers. */
    NUMBER("dn1"),
    /** Memory for {@value #STRIPES} stripes at a time. */
    BYTES("dn2");

    private static final int STRIPES = 8;
    private static final int SHARE = 4;

    private final String master;

    RelayCase(String master) {
        this.master = master;
    }

    /** As people read it. */
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** Name of the datanode. */
    String master() {
        return master;
    }

    /** Changes of its datanode's configuration. */
    List<String> changes(RelayPlan plan) {
        return switch (this) {
            case CONFIGURED -> List.of();
            case NUMBER -> List.of("relay.most=" + Math.max(1, plan.writers() / SHARE));
            case BYTES -> List.of("relay.bytes=" + STRIPES * stripeBytes(plan.policy()));
        };
    }

    /** Memory of a full stripe at its master. */
    private static long stripeBytes(Policy policy) {
        return (long) policy.chunks() * ChunkPayload.payloadBytes(policy.cellBytes());
    }
}
