package io.ecfs.torture.fault.disk.offence;

import io.ecfs.torture.fault.driver.Faults;

/** Reaches from a fault to who chooses it. */
public final class KnowsTheDriver {
    static boolean isRegistry(Object one) {
        return one instanceof Faults;
    }
}
