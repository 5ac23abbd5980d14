package io.ecfs.isal;

import io.ecfs.code.KernelProvider;
import java.util.Optional;

/** Offers {@link IsalKernel}; found by {@link java.util.ServiceLoader}. */
public final class IsalKernelProvider implements KernelProvider {
    @Override
    public String name() {
        return IsalKernel.NAME;
    }

    @Override
    public int rank() {
        return 100;
    }

    @Override
    public Loading load() {
        Optional<String> failure = IsalLibrary.failure();
        if (failure.isPresent()) {
            return new Loading.Unavailable(failure.get());
        }
        return new Loading.Loaded(new IsalKernel());
    }
}
