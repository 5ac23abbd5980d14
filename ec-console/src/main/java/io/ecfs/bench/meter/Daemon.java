package io.ecfs.bench.meter;

import io.ecfs.message.Address;
import java.util.Objects;

/** A daemon of the cluster that is measured. */
public record Daemon(String id, Role role, Address address) {
    public enum Role {
        NAMENODE,
        DATANODE
    }

    public Daemon {
        Objects.requireNonNull(id, "id");
        Objects.requireNonNull(role, "role");
        Objects.requireNonNull(address, "address");
    }
}
