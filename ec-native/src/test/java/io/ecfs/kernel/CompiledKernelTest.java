package io.ecfs.kernel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ecfs.code.kernel.GaloisKernel;
import io.ecfs.code.kernel.Kernels;
import io.ecfs.code.kernel.Program;
import io.ecfs.code.kernel.RandomSchedules;
import io.ecfs.code.kernel.Schedule;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The Java kernel is held to a definition in its own tests; here the kernels in C are held to the Java kernel, bit by
 * bit.
 */
class CompiledKernelTest {
    private static final int GUARD = 5;

    private final GaloisKernel java = Kernels.java();

    /** ISA-L, and of our own loops all that this processor runs, not only those that it would choose. */
    static Stream<Named<GaloisKernel>> compiled() {
        assertThat(NativeLibrary.isalFailure()).isEmpty();
        return Stream.concat(
                        Stream.of(Kernels.choose("isal")),
                        NativeKernelProvider.runningHere().mapToObj(NativeKernelProvider::kernel))
                .map(kernel -> Named.of(kernel.description(), kernel));
    }

    private static ByteBuffer[] regions(int[] counts, int bytes, Random random) {
        ByteBuffer[] regions = new ByteBuffer[counts.length];
        for (int i = 0; i < counts.length; i++) {
            int offset = random.nextInt(70);
            int length = counts[i] * bytes;
            byte[] content = new byte[offset + length + GUARD];
            random.nextBytes(content);
            regions[i] = ByteBuffer.allocateDirect(content.length).put(0, content);
            regions[i].position(offset).limit(offset + length);
        }
        return regions;
    }

    /** Copies with the bytes around the region, which must come out alike too. */
    private static ByteBuffer[] copies(ByteBuffer[] regions) {
        ByteBuffer[] copies = new ByteBuffer[regions.length];
        for (int i = 0; i < regions.length; i++) {
            copies[i] = ByteBuffer.allocateDirect(regions[i].capacity())
                    .put(regions[i].duplicate().clear());
            copies[i].position(regions[i].position()).limit(regions[i].limit());
        }
        return copies;
    }

    private static void assertSame(ByteBuffer[] actual, ByteBuffer[] expected, String where) {
        for (int i = 0; i < expected.length; i++) {
            assertThat(actual[i].duplicate().clear())
                    .as("region %s, %s", i, where)
                    .isEqualTo(expected[i].duplicate().clear());
            assertThat(actual[i].position()).isEqualTo(expected[i].position());
            assertThat(actual[i].limit()).isEqualTo(expected[i].limit());
        }
    }

    private void compare(GaloisKernel kernel, Schedule schedule, int bytes, Random random, String where) {
        ByteBuffer[] in = regions(schedule.inputs(), bytes, random);
        ByteBuffer[] before = copies(in);
        ByteBuffer[] expected = regions(schedule.outputs(), bytes, random);
        ByteBuffer[] actual = copies(expected);
        java.prepare(schedule).run(in, expected);
        kernel.prepare(schedule).run(in, actual);
        assertSame(actual, expected, where);
        assertSame(in, before, where + " inputs");
    }

    private static Schedule matrix(int rows, int columns, boolean adds, Random random) {
        byte[] matrix = new byte[rows * columns];
        random.nextBytes(matrix);
        if (random.nextInt(8) == 0) {
            Arrays.fill(matrix, (byte) 1);
        }
        Schedule sets = Schedule.of(matrix, rows, columns);
        if (!adds) {
            return sets;
        }
        Schedule.Step step = sets.steps().get(0);
        return new Schedule.Builder(sets.inputs(), sets.outputs())
                .add(step.out(), step.in(), matrix)
                .build();
    }

    @ParameterizedTest
    @MethodSource("compiled")
    void equalsTheJavaKernelForEveryLengthAndAlignment(GaloisKernel kernel) {
        Random random = new Random(31);
        for (int bytes = 0; bytes <= 193; bytes++) {
            for (int rows = 1; rows <= 7; rows++) {
                Schedule schedule = matrix(rows, 1 + random.nextInt(10), random.nextBoolean(), random);
                compare(kernel, schedule, bytes, random, "seed 31 bytes " + bytes + " rows " + rows);
            }
        }
    }

    @ParameterizedTest
    @MethodSource("compiled")
    void equalsTheJavaKernelAcrossBlocksAndForManyRows(GaloisKernel kernel) {
        Random random = new Random(32);
        int block = 32 * 1024;
        for (int bytes : new int[] {4095, 4097, 8191, 8193, block - 1, block, block + 1, 2 * block + 17, 200_003}) {
            Schedule schedule = matrix(1 + random.nextInt(4), 1 + random.nextInt(8), random.nextBoolean(), random);
            compare(kernel, schedule, bytes, random, "seed 32 bytes " + bytes);
        }
        for (int rows = 5; rows <= 31; rows += 2) {
            Schedule schedule = matrix(rows, 32 - rows, random.nextBoolean(), random);
            compare(kernel, schedule, 40_001, random, "seed 32 rows " + rows);
        }
        compare(kernel, matrix(20, 230, false, random), 3000, random, "seed 32, 250 regions");
    }

    @ParameterizedTest
    @MethodSource("compiled")
    void equalsTheJavaKernelForRandomSchedules(GaloisKernel kernel) {
        for (int seed = 0; seed < 600; seed++) {
            Random random = new Random(seed);
            Schedule schedule = RandomSchedules.next(random);
            int bytes = seed % 10 == 0 ? 30_000 + random.nextInt(9000) : random.nextInt(300);
            compare(kernel, schedule, bytes, random, "seed " + seed + ", regions of " + bytes);
        }
    }

    /** Large runs write past the caches where outputs are alike aligned, and otherwise not. */
    @ParameterizedTest
    @MethodSource("compiled")
    void equalsTheJavaKernelWhereItStreams(GaloisKernel kernel) {
        Random random = new Random(34);
        int bytes = 700_000 + 77;
        for (int columns : new int[] {6, 13}) {
            for (int offset : new int[] {0, 16, 63, -1}) {
                Schedule schedule = matrix(3, columns, false, random);
                ByteBuffer[] in = regions(schedule.inputs(), bytes, random);
                ByteBuffer[] expected = new ByteBuffer[3];
                ByteBuffer[] actual = new ByteBuffer[3];
                for (int i = 0; i < 3; i++) {
                    expected[i] = ByteBuffer.allocateDirect(bytes);
                    ByteBuffer memory = ByteBuffer.allocateDirect(bytes + 256).alignedSlice(64);
                    actual[i] = memory.slice(offset < 0 ? i : offset, bytes);
                }
                java.prepare(schedule).run(in, expected);
                kernel.prepare(schedule).run(in, actual);
                assertSame(actual, expected, "seed 34, " + columns + " columns, offset " + offset);
            }
        }
        compare(kernel, matrix(9, 6, false, random), 500_001, random, "seed 34, two passes");
        byte[] ones = new byte[8];
        Arrays.fill(ones, (byte) 1);
        compare(kernel, Schedule.of(ones, 2, 4), 1_000_001, random, "seed 34, XOR");
    }

    @ParameterizedTest
    @MethodSource("compiled")
    void multipliesByEveryCoefficient(GaloisKernel kernel) {
        Random random = new Random(33);
        for (int c = 0; c < 256; c++) {
            Schedule schedule = Schedule.of(new byte[] {(byte) c}, 1, 1);
            compare(kernel, schedule, 1000, random, "coefficient " + c);
        }
    }

    @ParameterizedTest
    @MethodSource("compiled")
    void refusesReadOnlyAndOverlappingBuffers(GaloisKernel kernel) {
        Program program = kernel.prepare(Schedule.of(new byte[] {1, 2}, 1, 2));
        ByteBuffer[] in = {ByteBuffer.allocateDirect(8), ByteBuffer.allocateDirect(8)};
        ByteBuffer[] out = {ByteBuffer.allocateDirect(8)};
        ByteBuffer heap = ByteBuffer.allocate(8);

        assertRefused(program, new ByteBuffer[] {in[0], heap}, out, "input 1 is a heap buffer");
        assertRefused(program, in, new ByteBuffer[] {heap}, "output 0 is a heap buffer");
        assertRefused(program, in, new ByteBuffer[] {out[0].asReadOnlyBuffer()}, "output 0 is read-only");
        assertRefused(program, in, new ByteBuffer[] {}, "output: 0 buffers given, 1 needed");
        assertRefused(
                program,
                in,
                new ByteBuffer[] {ByteBuffer.allocateDirect(7)},
                "output 0 has 7 bytes remaining where 8 are due");
        ByteBuffer memory = ByteBuffer.allocateDirect(24);
        assertRefused(
                program,
                new ByteBuffer[] {in[0], memory.slice(0, 8)},
                new ByteBuffer[] {memory.slice(7, 8)},
                "output 0 overlaps input 1");
        program.run(new ByteBuffer[] {in[0], memory.slice(0, 8)}, new ByteBuffer[] {memory.slice(8, 8)});
        program.run(new ByteBuffer[] {in[0], in[0].asReadOnlyBuffer()}, out);
    }

    /** Scratch of a program of one step has a block too. */
    @ParameterizedTest
    @MethodSource("compiled")
    void runsOneStepIntoScratch(GaloisKernel kernel) {
        Schedule.Builder builder = new Schedule.Builder(new int[] {1}, new int[] {1});
        Schedule schedule = builder.set(new int[] {builder.scratch()}, new int[] {0}, new byte[] {3})
                .build();
        compare(kernel, schedule, 100_000, new Random(35), "seed 35");
    }

    @Test
    void refusesOutputsThatOverlapEachOther() {
        Program program = Kernels.choose("isal").prepare(Schedule.of(new byte[] {1, 2}, 2, 1));
        ByteBuffer memory = ByteBuffer.allocateDirect(24);
        assertRefused(
                program,
                new ByteBuffer[] {ByteBuffer.allocateDirect(8)},
                new ByteBuffer[] {memory.slice(0, 8), memory.slice(1, 8)},
                "output 1 overlaps output 0");
    }

    private static void assertRefused(Program program, ByteBuffer[] in, ByteBuffer[] out, String message) {
        assertThatThrownBy(() -> program.run(in, out))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith(message);
    }
}
