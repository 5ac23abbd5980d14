package io.ecfs.code.construction;

import io.ecfs.code.CodeSpec;
import io.ecfs.code.ErasureCode;
import io.ecfs.code.kernel.GaloisKernel;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;

/** The erasure codes that a process has met, each made once: they remember the decode tables of loss patterns. */
public final class Codes {
    private final GaloisKernel kernel;
    private final Map<CodeSpec, ErasureCode> codes = new ConcurrentHashMap<>();

    public Codes(GaloisKernel kernel) {
        this.kernel = Objects.requireNonNull(kernel, "kernel");
    }

    public ErasureCode of(CodeSpec spec) {
        return codes.computeIfAbsent(spec, s -> ErasureCodes.create(s, kernel));
    }
}
