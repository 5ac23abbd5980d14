package io.ecfs.kernel;

import io.ecfs.code.kernel.GaloisKernel;
import io.ecfs.code.kernel.Program;
import io.ecfs.code.kernel.Schedule;

/**
 * A kernel in C: schedules become programs in native memory, and a run crosses JNI once, for any number of steps.
 *
 * <p>Exists only where {@link NativeLibrary} is loaded.
 */
final class CompiledKernel implements GaloisKernel {
    private final int number;
    private final String name;
    private final String description;
    private final ThreadLocal<Workspace> workspaces = ThreadLocal.withInitial(Workspace::new);

    /**
     * The kernel of that number.
     *
     * @param number as {@link NativeCalls#kernels} tells; must run here
     */
    CompiledKernel(int number, String name, String description) {
        this.number = number;
        this.name = name;
        this.description = description;
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public String description() {
        return description;
    }

    @Override
    public Program prepare(Schedule schedule) {
        return new CompiledProgram(number, schedule, workspaces);
    }
}
