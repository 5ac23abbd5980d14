package io.ecfs.bench.meter;

/** Memory of this machine. */
public final class MachineMemory {
    private static final long KIB = 1024;

    private MachineMemory() {}

    /** Bytes that programs can take without swapping; 0 when the kernel does not say. */
    public static long availableBytes() {
        return ProcFile.number(ProcFile.text(ProcFile.of("meminfo")).orElse(""), "MemAvailable") * KIB;
    }
}
