package io.ecfs.kernel;

import io.ecfs.code.Program;
import io.ecfs.code.Regions;
import io.ecfs.code.Schedule;
import java.lang.ref.Reference;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.stream.IntStream;

/** A schedule in native memory, which lives as long as this object and never changes. */
final class CompiledProgram implements Program {
    private final Regions regions;
    private final ThreadLocal<Workspace> workspaces;
    /** Keeps the memory behind the address. */
    private final ByteBuffer held;

    private final long address;
    private final long workspaceBytes;

    CompiledProgram(int kernel, Schedule schedule, ThreadLocal<Workspace> workspaces) {
        this.regions = Regions.of(schedule);
        this.workspaces = workspaces;
        int[] code = code(schedule);
        this.held = NativeMemory.allocate(NativeCalls.programBytes(kernel, code));
        this.address = NativeMemory.alignedAddress(held);
        this.workspaceBytes = NativeCalls.build(kernel, code, coefficients(schedule), address);
    }

    /** The form that {@code program.h} tells. */
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
    public void run(ByteBuffer[] inputs, ByteBuffer[] outputs) {
        int bytes = regions.check(inputs, outputs);
        Workspace mine = workspaces.get();
        long[] addresses = mine.addresses(inputs.length + outputs.length);
        try {
            put(inputs, addresses, 0);
            put(outputs, addresses, inputs.length);
            checkApart(inputs, outputs, addresses);
            NativeCalls.run(address, addresses, mine.memory(workspaceBytes), bytes);
        } finally {
            Reference.reachabilityFence(this);
            Reference.reachabilityFence(inputs);
            Reference.reachabilityFence(outputs);
        }
    }

    private static void put(ByteBuffer[] buffers, long[] addresses, int from) {
        for (int i = 0; i < buffers.length; i++) {
            addresses[from + i] = NativeCalls.address(buffers[i]) + buffers[i].position();
        }
    }

    private static void checkApart(ByteBuffer[] inputs, ByteBuffer[] outputs, long[] addresses) {
        for (int o = 0; o < outputs.length; o++) {
            long from = addresses[inputs.length + o];
            long to = from + outputs[o].remaining();
            for (int i = 0; i < inputs.length; i++) {
                if (addresses[i] < to && from < addresses[i] + inputs[i].remaining()) {
                    throw Regions.overlapping("output", o, "input", i);
                }
            }
            for (int i = 0; i < o; i++) {
                long other = addresses[inputs.length + i];
                if (other < to && from < other + outputs[i].remaining()) {
                    throw Regions.overlapping("output", o, "output", i);
                }
            }
        }
    }
}
