package io.ecfs.torture.fault;

import java.util.Set;

/** A fault that only {@link Machines} can have: daemons and clients of one process. */
public interface MachineFault extends Fault {
    @Override
    default Set<Shape> shapes() {
        return Set.of(Shape.ONE);
    }
}
