package io.ecfs.code.kernel;

/** Offers a {@link GaloisKernel} by {@link java.util.ServiceLoader}; see {@link Kernels}. */
public interface KernelProvider {

    /** The name by which a setting forces this kernel. */
    String name();

    /** Of the kernels that load, the one with the highest rank runs; the pure Java kernel has 0. */
    int rank();

    /** Loads the kernel. Must not throw when this machine cannot run it: it says why. */
    Loading load();

    /** Result of loading. */
    sealed interface Loading {
        record Loaded(GaloisKernel kernel) implements Loading {}

        /**
         * The kernel cannot run here.
         *
         * @param reason one line: what is missing and what to do about it
         */
        record Unavailable(String reason) implements Loading {}
    }
}
