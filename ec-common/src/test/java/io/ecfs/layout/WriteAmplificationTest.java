package io.ecfs.layout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class WriteAmplificationTest {
    private static final long MIB = 1 << 20;

    /** Table 3 of the ECFault paper has objects of 64 MiB and does not say the stripe unit. */
    @ParameterizedTest
    @CsvSource({
        "9, 12, 4096, 1.3337",
        "9, 12, 4194304, 1.5",
        "9, 12, 67108864, 12",
        "12, 15, 4096, 1.2506",
        "12, 15, 4194304, 1.875",
        "12, 15, 67108864, 15"
    })
    void theFormulaOfThePaper(int k, int n, long unit, double expected) {
        assertThat(WriteAmplification.padded(k, n, unit, 64 * MIB)).isCloseTo(expected, within(5e-5));
    }

    @ParameterizedTest
    @CsvSource({"rs-9-3-1024k, 1.3352, 1.3347", "rs-12-3-1024k, 1.2524, 1.2513"})
    void ofTheObjectsOfThePaper(String policy, double inBlocks, double inFiles) {
        WriteAmplification file = WriteAmplification.ofFile(Policy.parse(policy), 64 * MIB);
        assertThat(file.blockBytes() / (64.0 * MIB)).isCloseTo(inBlocks, within(5e-5));
        assertThat(file.fileBytes() / (64.0 * MIB)).isCloseTo(inFiles, within(5e-5));
    }

    /** 100 bytes: cells of 64 of which the second has 36; 10 bytes: the second data chunk is empty. */
    @ParameterizedTest
    @CsvSource({
        "0, 0, 0, 0, 0",
        "10, 3, 74, 1544, 20480",
        "100, 3, 164, 1548, 24576",
        "131072, 3, 196608, 1728, 208896",
        "131073, 3, 196673, 1736, 217088"
    })
    void smallFilesCountedByHand(long bytes, long chunks, long chunkBytes, long checksumBytes, long blockBytes) {
        assertThat(WriteAmplification.ofFile(Policy.parse("rs-2-1-64k"), bytes))
                .isEqualTo(new WriteAmplification(bytes, chunks, chunkBytes, checksumBytes, blockBytes));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"rs-6-3-1024k", "clay-6-3-8-1024k", "liberation-4-2-64k", "replication-3", "shec-6-3-2-64k"})
    void severalGroupsAddUp(String name) {
        Policy policy = Policy.parse(name);
        WriteAmplification group = WriteAmplification.ofFile(policy, policy.groupBytes());
        assertThat(group.chunks()).isEqualTo(policy.chunks());
        for (long rest : new long[] {0, 1, 5000, policy.groupBytes() - 1}) {
            WriteAmplification file = WriteAmplification.ofFile(policy, 2 * policy.groupBytes() + rest);
            assertThat(file).isEqualTo(group.times(2).plus(WriteAmplification.ofFile(policy, rest)));
            assertThat(file.chunkBytes()).isEqualTo(GroupLayout.storedBytes(policy, file.userBytes()));
            assertThat(file.blockBytes() % WriteAmplification.BLOCK_BYTES).isZero();
            assertThat(file.blockBytes()).isGreaterThanOrEqualTo(file.fileBytes());
        }
    }

    /** Three files of 5000 bytes begin at 0, 8192 and 16384. */
    @Test
    void filesThatShareAGroupTakeWhatOneAsLongAsTheirPlacesTakes() {
        Policy policy = Policy.parse("rs-2-1-64k");
        WriteAmplification one = WriteAmplification.ofFile(policy, 16_384 + 5000);
        assertThat(WriteAmplification.ofPack(policy, 3, 5000))
                .isEqualTo(new WriteAmplification(15_000, 3, one.chunkBytes(), one.checksumBytes(), one.blockBytes()));
    }

    @Test
    void refusesWhatIsNoFileAndNoCode() {
        Policy policy = Policy.parse("rs-2-1-64k");
        assertThatThrownBy(() -> WriteAmplification.ofFile(policy, -1))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("got -1");
        assertThatThrownBy(() -> WriteAmplification.ofPack(policy, 0, 1))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("got 0 of 1");
        for (long[] bad : new long[][] {{0, 3, 1, 1}, {3, 2, 1, 1}, {2, 3, 0, 1}, {2, 3, 1, 0}}) {
            assertThatThrownBy(() -> WriteAmplification.padded((int) bad[0], (int) bad[1], bad[2], bad[3]))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("padding takes");
        }
    }
}
