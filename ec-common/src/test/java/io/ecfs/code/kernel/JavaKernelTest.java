package io.ecfs.code.kernel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ecfs.code.Cells;
import io.ecfs.code.field.GaloisField;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;

class JavaKernelTest {
    private final GaloisKernel kernel = Kernels.java();

    @Test
    void multipliesEveryByteByEveryCoefficient() {
        ByteBuffer all = Cells.blank(256);
        for (int value = 0; value < 256; value++) {
            all.put(all.position() + value, (byte) value);
        }
        for (int c = 0; c < 256; c++) {
            ByteBuffer out = Cells.blank(256, 3);
            Program program = kernel.prepare(Schedule.of(new byte[] {(byte) c}, 1, 1));
            program.run(new ByteBuffer[] {all}, new ByteBuffer[] {out});
            for (int value = 0; value < 256; value++) {
                assertThat(out.get(out.position() + value) & 0xff).isEqualTo(NaiveRun.product(value, c));
                assertThat(GaloisField.multiply(value, c)).isEqualTo(NaiveRun.product(value, c));
            }
        }
    }

    @Test
    void runsRandomSchedulesAsTheirDefinitionSays() {
        for (int seed = 0; seed < 400; seed++) {
            Random random = new Random(seed);
            Schedule schedule = RandomSchedules.next(random);
            int bytes = switch (seed % 8) {
                case 0 -> 0;
                case 1 -> 1 + random.nextInt(9);
                case 2 -> 4000 + random.nextInt(200);
                default -> random.nextInt(200);
            };
            compare(schedule, bytes, random, "seed " + seed + ", regions of " + bytes);
        }
    }

    private void compare(Schedule schedule, int bytes, Random random, String where) {
        ByteBuffer[] in = buffers(schedule.inputs(), bytes, random);
        ByteBuffer[] out = buffers(schedule.outputs(), bytes, random);
        byte[][] inBefore = contents(in);
        byte[][] expected = contents(out);
        NaiveRun.run(schedule, inBefore, expected, bytes);
        kernel.prepare(schedule).run(in, out);
        for (int i = 0; i < out.length; i++) {
            assertThat(Cells.bytes(out[i])).as("output %s, %s", i, where).isEqualTo(expected[i]);
            assertThat(Cells.guarded(out[i]))
                    .as("around output %s, %s", i, where)
                    .isTrue();
        }
        for (int i = 0; i < in.length; i++) {
            assertThat(Cells.bytes(in[i])).as("input %s, %s", i, where).isEqualTo(inBefore[i]);
        }
    }

    private static ByteBuffer[] buffers(int[] counts, int bytes, Random random) {
        return Cells.array(counts.length, i -> {
            ByteBuffer buffer = Cells.blank(counts[i] * bytes, random.nextInt(70));
            byte[] content = new byte[buffer.remaining()];
            random.nextBytes(content);
            return buffer.put(buffer.position(), content);
        });
    }

    private static byte[][] contents(ByteBuffer[] buffers) {
        return Arrays.stream(buffers).map(Cells::bytes).toArray(byte[][]::new);
    }

    @Test
    void refusesBuffersThatDoNotFitTheSchedule() {
        Schedule.Builder builder = new Schedule.Builder(new int[] {2, 1}, new int[] {3});
        Program program = kernel.prepare(builder.set(
                        new int[] {builder.output(0, 1)},
                        new int[] {builder.input(0, 1), builder.input(1, 0)},
                        new byte[] {1, 2})
                .build());
        ByteBuffer two = Cells.blank(16);
        ByteBuffer one = Cells.blank(8);
        ByteBuffer[] in = {two, one};
        ByteBuffer[] out = {Cells.blank(24)};
        program.run(in, out);

        assertRefused(program, new ByteBuffer[] {two}, out, "input: 1 buffers given, 2 needed");
        assertRefused(program, in, new ByteBuffer[0], "output: 0 buffers given, 1 needed");
        assertRefused(
                program,
                new ByteBuffer[] {Cells.blank(15), one},
                out,
                "input 0 has 15 bytes remaining, which do not divide into 2 regions");
        assertRefused(program, new ByteBuffer[] {null, one}, out, "input 0 is missing");
        assertRefused(
                program, new ByteBuffer[] {two, Cells.blank(9)}, out, "input 1 has 9 bytes remaining where 8 are due");
        assertRefused(program, in, new ByteBuffer[] {one}, "output 0 has 8 bytes remaining where 24 are due");
        assertRefused(
                program,
                new ByteBuffer[] {two, ByteBuffer.allocate(8)},
                out,
                "input 1 is a heap buffer; give a direct one");
        assertRefused(
                program,
                in,
                new ByteBuffer[] {out[0].asReadOnlyBuffer()},
                "output 0 is read-only but would be written");
    }

    private static void assertRefused(Program program, ByteBuffer[] in, ByteBuffer[] out, String message) {
        assertThatThrownBy(() -> program.run(in, out))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(message);
    }

    @Test
    void refusesOverlappingOutputsAndLeavesThemAsTheyWere() {
        Program program = kernel.prepare(Schedule.of(new byte[] {1, 2, 3, 4}, 2, 2));
        ByteBuffer memory = Cells.data(1, 100);
        byte[] before = Cells.bytes(memory);
        int from = memory.position();
        ByteBuffer[] apart = {memory.slice(from, 10), memory.slice(from + 10, 10)};
        program.run(apart, new ByteBuffer[] {memory.slice(from + 20, 10), memory.slice(from + 30, 10)});
        byte[] after = Cells.bytes(memory);
        assertThat(Arrays.copyOf(after, 20)).isEqualTo(Arrays.copyOf(before, 20));

        for (int start : new int[] {1, 5, 10, 11, 19}) {
            ByteBuffer[] in = {memory.slice(from, 10), memory.slice(from + 50, 10)};
            ByteBuffer[] out = {memory.slice(from + 10, 10), memory.slice(from + start, 10)};
            String expected = start < 10 ? "output 1 overlaps input 0" : "output 1 overlaps output 0";
            assertThatThrownBy(() -> program.run(in, out))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageStartingWith(expected);
            assertThat(Cells.bytes(memory)).isEqualTo(after);
        }
        ByteBuffer[] twice = {memory.slice(from, 10), memory.slice(from, 10)};
        program.run(twice, new ByteBuffer[] {memory.slice(from + 20, 10), memory.slice(from + 30, 10)});
    }

    @Test
    void theJavaKernelWorksInLittleMemoryWhateverTheNumberOfRegions() {
        long longs = 0;
        for (long[] block : new JavaBlocks().regions(100_000)) {
            longs += block.length;
        }
        assertThat(longs * Long.BYTES).isLessThan(64L << 20);
    }
}
