package io.ecfs.kernel;

import io.ecfs.code.kernel.GaloisKernel;
import io.ecfs.code.kernel.KernelProvider;
import io.ecfs.code.kernel.Kernels;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.IntStream;

/**
 * Offers the fastest of our own loops that this processor runs, once their bytes equal those of the Java kernel; found
 * by {@link java.util.ServiceLoader}.
 */
public final class NativeKernelProvider implements KernelProvider {
    static final String NAME = "native";

    /**
     * With AVX-512 our loops are faster than ISA-L 2.30: with GFNI by two to three times, since that multiplies 64
     * bytes by one instruction, and without it still. With AVX2 alone that is not measured.
     */
    private static final String FASTER_THAN_ISAL = "avx512|.*gfni";

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public int rank() {
        OptionalInt fastest = fastest();
        return fastest.isPresent() && NativeCalls.kernelName(fastest.getAsInt()).matches(FASTER_THAN_ISAL) ? 200 : 50;
    }

    @Override
    public Loading load() {
        Optional<String> failure = NativeLibrary.failure();
        if (failure.isPresent()) {
            return new Loading.Unavailable(failure.get());
        }
        OptionalInt fastest = fastest();
        if (fastest.isEmpty()) {
            return new Loading.Unavailable("this processor has no AVX2, and nothing less is written for");
        }
        GaloisKernel kernel = kernel(fastest.getAsInt());
        return SelfCheck.difference(kernel, Kernels.java())
                .<Loading>map(Loading.Unavailable::new)
                .orElseGet(() -> new Loading.Loaded(kernel));
    }

    private static OptionalInt fastest() {
        return NativeLibrary.failure().isPresent()
                ? OptionalInt.empty()
                : runningHere().findFirst();
    }

    /** The numbers of our loops that this processor runs, fastest first. The library is loaded. */
    static IntStream runningHere() {
        return IntStream.range(NativeCalls.ISAL + 1, NativeCalls.kernels()).filter(NativeCalls::runsHere);
    }

    static GaloisKernel kernel(int number) {
        return new CompiledKernel(number, NAME, "ECFS native (" + NativeCalls.kernelName(number) + ")");
    }
}
