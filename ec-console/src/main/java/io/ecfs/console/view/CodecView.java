package io.ecfs.console.view;

import io.ecfs.code.kernel.GaloisKernel;
import io.ecfs.code.kernel.KernelProvider.Loading;
import io.ecfs.code.kernel.Kernels;
import java.util.ArrayList;
import java.util.List;

/**
 * The codec kernels of this process, as {@code ecfs version} tells: every process chooses by the same rule.
 *
 * @param inUse its name
 */
public record CodecView(String inUse, List<Kernel> kernels) {
    /**
     * @param available whether it runs here
     * @param text what it is, or why it does not
     */
    public record Kernel(String name, boolean available, String text) {}

    /** Loads them to find out: once in a process is enough. */
    public static CodecView ofThisProcess() {
        GaloisKernel used = Kernels.best();
        List<Kernel> kernels = new ArrayList<>();
        Kernels.all()
                .forEach((name, loading) -> kernels.add(
                        loading instanceof Loading.Loaded loaded
                                ? new Kernel(name, true, loaded.kernel().description())
                                : new Kernel(name, false, ((Loading.Unavailable) loading).reason())));
        return new CodecView(used.name(), List.copyOf(kernels));
    }
}
