package io.ecfs.code.kernel;

/**
 * The kernel in pure Java: eight field elements to a 64-bit lane, in loops over {@code long[]} that the JIT turns into
 * vector instructions; see {@link JavaProgram}.
 */
final class JavaKernel implements GaloisKernel {
    static final String NAME = "java";

    private final ThreadLocal<JavaBlocks> blocks = ThreadLocal.withInitial(JavaBlocks::new);

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public String description() {
        return "pure Java (64-bit lanes)";
    }

    @Override
    public Program prepare(Schedule schedule) {
        return new JavaProgram(schedule, blocks);
    }
}
