package io.ecfs.code.kernel;

/** The kernel that is always there. */
final class JavaKernelProvider implements KernelProvider {
    @Override
    public String name() {
        return JavaKernel.NAME;
    }

    @Override
    public int rank() {
        return 0;
    }

    @Override
    public Loading load() {
        return new Loading.Loaded(new JavaKernel());
    }
}
