package io.ecfs.bench.exstorus;

import io.ecfs.code.kernel.GaloisKernel;
import io.ecfs.code.kernel.Program;
import io.ecfs.code.kernel.Schedule;

/**
 * The paper's NONE: no encoding function is called, parity is whatever its buffer holds. For benches alone; no provider
 * offers it, so that no client or datanode can be configured to use it.
 */
final class NoCoding implements GaloisKernel {
    @Override
    public String name() {
        return "none";
    }

    @Override
    public String description() {
        return "no encoding";
    }

    @Override
    public Program prepare(Schedule schedule) {
        return (inputs, outputs) -> {};
    }
}
