package io.ecfs.kernel;

import io.ecfs.code.kernel.Program;
import io.ecfs.code.kernel.Regions;
import io.ecfs.code.kernel.Schedule;
import java.lang.ref.Reference;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.stream.IntStream;

/** A schedule in native memory, which lives as long as this object and never changes. */
final class CompiledProgram implements Program {
    /** Most buffers that the running call passes; calls before it pass the others. */
    private static final int IN_ONE_CALL = 16;

    private final Regions regions;
    private final ThreadLocal<Workspace> workspaces;
    /** Memory at the address; the reference prevents its release. */
    private final ByteBuffer buffer;

    private final long address;
    private final long workspaceBytes;

    CompiledProgram(int kernel, Schedule schedule, ThreadLocal<Workspace> workspaces) {
        this.regions = Regions.of(schedule);
        this.workspaces = workspaces;
        int[] code = code(schedule);
        this.buffer = NativeMemory.allocate(NativeCalls.programBytes(kernel, code));
        this.address = NativeMemory.alignedAddress(buffer);
        this.workspaceBytes = NativeCalls.build(kernel, code, coefficients(schedule), address);
    }

    /** The program in the form of {@code program.h}. */
    private static int[] code(Schedule schedule) {
        int[] inputs = schedule.inputs();
        int[] outputs = schedule.outputs();
        IntStream.Builder code = IntStream.builder();
        code.add(inputs.length).add(outputs.length);
        IntStream.concat(Arrays.stream(inputs), Arrays.stream(outputs)).forEach(code);
        code.add(schedule.scratch()).add(schedule.steps().size());
        for (Schedule.Step step : schedule.steps()) {
            code.add(step.adds() ? 1 : 0).add(step.in().length).add(step.out().length);
            Arrays.stream(step.in()).forEach(code);
            Arrays.stream(step.out()).forEach(code);
        }
        return code.build().toArray();
    }

    private static byte[] coefficients(Schedule schedule) {
        byte[] all = new byte
                [schedule.steps().stream()
                        .mapToInt(step -> step.coefficients().length)
                        .sum()];
        int at = 0;
        for (Schedule.Step step : schedule.steps()) {
            System.arraycopy(step.coefficients(), 0, all, at, step.coefficients().length);
            at += step.coefficients().length;
        }
        return all;
    }

    @Override
    public void run(ByteBuffer[] in, ByteBuffer[] out) {
        int bytes = regions.check(in, out);
        long workspace = workspaces.get().memory(workspaceBytes);
        try {
            for (int i = IN_ONE_CALL; i < in.length + out.length; i += 8) {
                NativeCalls.place(
                        workspace + (long) i * Long.BYTES,
                        at(i, in, out),
                        at(i + 1, in, out),
                        at(i + 2, in, out),
                        at(i + 3, in, out),
                        at(i + 4, in, out),
                        at(i + 5, in, out),
                        at(i + 6, in, out),
                        at(i + 7, in, out));
            }
            long overlap = NativeCalls.run(
                    address,
                    workspace,
                    bytes,
                    at(0, in, out),
                    at(1, in, out),
                    at(2, in, out),
                    at(3, in, out),
                    at(4, in, out),
                    at(5, in, out),
                    at(6, in, out),
                    at(7, in, out),
                    at(8, in, out),
                    at(9, in, out),
                    at(10, in, out),
                    at(11, in, out),
                    at(12, in, out),
                    at(13, in, out),
                    at(14, in, out),
                    at(15, in, out));
            if (overlap >= 0) {
                throw overlapping((int) (overlap >>> 32), (int) overlap, in.length);
            }
        } finally {
            // C has only addresses: the buffers must stay reachable up to here.
            Reference.reachabilityFence(in);
            Reference.reachabilityFence(out);
            Reference.reachabilityFence(this);
        }
    }

    /** The buffer of that number, outputs behind inputs; null behind the last. */
    private static ByteBuffer at(int number, ByteBuffer[] in, ByteBuffer[] out) {
        if (number < in.length) {
            return in[number];
        }
        return number < in.length + out.length ? out[number - in.length] : null;
    }

    private static IllegalArgumentException overlapping(int output, int other, int inputs) {
        return Regions.overlapping(
                "output",
                output - inputs,
                other < inputs ? "input" : "output",
                other < inputs ? other : other - inputs);
    }
}
