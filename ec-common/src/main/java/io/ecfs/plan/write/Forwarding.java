package io.ecfs.plan.write;

/** When a master sends on the data cells of a stripe. */
public enum Forwarding {
    /** Each as it comes, so that distribution overlaps the transfer; parity cells once they are encoded. */
    BY_CELL,
    /** All cells together, once all data is there and encoded: store and forward, as the paper's file system. */
    BY_STRIPE
}
