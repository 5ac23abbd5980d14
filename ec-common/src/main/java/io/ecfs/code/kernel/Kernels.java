package io.ecfs.code.kernel;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Chooses the kernel that a process computes with. Stateless: a process calls once at its start and passes the kernel
 * on.
 */
public final class Kernels {
    /** The system property that forces a kernel by name; {@value #FASTEST} or absent means the fastest that loads. */
    public static final String PROPERTY = "ecfs.kernel";

    public static final String FASTEST = "auto";

    private static final Comparator<KernelProvider> FASTEST_FIRST =
            Comparator.comparingInt(KernelProvider::rank).reversed().thenComparing(KernelProvider::name);

    private static final Logger LOG = LoggerFactory.getLogger(Kernels.class);

    private Kernels() {}

    /** The kernel that the system property {@value #PROPERTY} names, else the fastest; see {@link #choose(String)}. */
    public static GaloisKernel best() {
        return choose(System.getProperty(PROPERTY, FASTEST));
    }

    /**
     * The kernel of that name, or the fastest one that loads. Logs at INFO which one runs, and at WARN each faster one
     * that does not load, with its reason.
     *
     * @param name {@value #FASTEST}, {@code java}, or the name of a provider on the class path
     * @throws IllegalArgumentException for a name that no provider has
     * @throws IllegalStateException if the kernel of that name does not load; the message has the reason
     */
    public static GaloisKernel choose(String name) {
        return choose(name, providers());
    }

    /**
     * Every kernel of the class path, the one that {@value #FASTEST} prefers first: it itself or why it cannot run
     * here.
     */
    public static Map<String, KernelProvider.Loading> all() {
        Map<String, KernelProvider.Loading> all = new LinkedHashMap<>();
        providers().stream().sorted(FASTEST_FIRST).forEach(provider -> all.put(provider.name(), provider.load()));
        return all;
    }

    private static List<KernelProvider> providers() {
        List<KernelProvider> providers = new ArrayList<>();
        ServiceLoader.load(KernelProvider.class, Kernels.class.getClassLoader()).forEach(providers::add);
        providers.add(new JavaKernelProvider());
        return providers;
    }

    static GaloisKernel choose(String name, List<KernelProvider> providers) {
        List<KernelProvider> candidates = providers.stream()
                .filter(provider -> name.equals(FASTEST) || name.equals(provider.name()))
                .sorted(FASTEST_FIRST)
                .toList();
        if (candidates.isEmpty()) {
            String known = providers.stream().map(KernelProvider::name).sorted().collect(Collectors.joining(", "));
            throw new IllegalArgumentException(
                    "no kernel '" + name + "' (" + PROPERTY + "); known are " + FASTEST + ", " + known);
        }
        List<String> reasons = new ArrayList<>();
        for (KernelProvider provider : candidates) {
            KernelProvider.Loading loading = provider.load();
            if (loading instanceof KernelProvider.Loading.Loaded loaded) {
                LOG.info(
                        "event=kernel_chosen kernel={} description=\"{}\"",
                        loaded.kernel().name(),
                        loaded.kernel().description());
                return loaded.kernel();
            }
            String reason = ((KernelProvider.Loading.Unavailable) loading).reason();
            if (name.equals(FASTEST)) {
                LOG.warn(
                        "event=kernel_unavailable kernel={} reason=\"{}\": a slower kernel takes over",
                        provider.name(),
                        reason);
            }
            reasons.add(provider.name() + ": " + reason);
        }
        throw new IllegalStateException("kernel '" + name + "' does not load: " + String.join("; ", reasons));
    }

    /** The pure Java kernel, which runs everywhere. */
    public static GaloisKernel java() {
        return new JavaKernel();
    }
}
