package io.ecfs.kernel;

import io.ecfs.code.kernel.KernelProvider;
import java.util.Optional;

/** Offers ISA-L; found by {@link java.util.ServiceLoader}. */
public final class IsalKernelProvider implements KernelProvider {
    static final String NAME = "isal";

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public int rank() {
        return 100;
    }

    @Override
    public Loading load() {
        Optional<String> failure = NativeLibrary.isalFailure();
        if (failure.isPresent()) {
            return new Loading.Unavailable(failure.get());
        }
        return new Loading.Loaded(new CompiledKernel(
                NativeCalls.ISAL,
                NAME,
                "ISA-L (" + NativeCalls.isalFile() + ", " + NativeCalls.isalInstructions() + ")"));
    }
}
