package io.ecfs.namenode.namespace.inode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ecfs.layout.EncodingSide;
import io.ecfs.layout.Policy;
import io.ecfs.layout.RingId;
import io.ecfs.message.namespace.ConversionRule;
import io.ecfs.namenode.row.RowReader;
import io.ecfs.namenode.row.RowWriter;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class DirectorySettingsTest {
    private static final Policy POLICY = Policy.parse("rs-2-1-64k");

    /** The settings whose bits are set. */
    private static DirectorySettings settings(int bits) {
        return new DirectorySettings(
                (bits & 1) == 0 ? Optional.empty() : Optional.of(POLICY),
                (bits & 2) == 0 ? Optional.empty() : Optional.of(new RingId(7)),
                (bits & 4) == 0 ? Optional.empty() : Optional.of(EncodingSide.AUTO),
                (bits & 8) == 0 ? Optional.empty() : Optional.of(1L << 20),
                (bits & 16) == 0 ? List.of() : List.of(new ConversionRule(Duration.ofDays(1), POLICY)));
    }

    private static byte[] bytes(DirectorySettings settings) {
        RowWriter row = new RowWriter();
        settings.write(row);
        return row.bytes();
    }

    @Test
    void everyCombinationOfSettingsIsReadAsItWasWritten() {
        for (int bits = 0; bits < 32; bits++) {
            assertThat(DirectorySettings.read(new RowReader(bytes(settings(bits)))))
                    .isEqualTo(settings(bits));
        }
    }

    @Test
    void aSettingThatIsNotThereTakesNoByte() {
        assertThat(bytes(DirectorySettings.NONE)).isEmpty();
        int each = 0;
        for (int bits = 1; bits < 32; bits *= 2) {
            each += bytes(settings(bits)).length;
        }
        assertThat(bytes(settings(31))).hasSize(each);
    }

    @Test
    void anotherLimitOfPackingLeavesTheOtherSettings() {
        for (int bits = 0; bits < 32; bits++) {
            assertThat(settings(bits).packedUpTo(Optional.empty())).isEqualTo(settings(bits & ~8));
            assertThat(settings(bits).packedUpTo(Optional.of(1L << 20))).isEqualTo(settings(bits | 8));
        }
    }

    @Test
    void anotherPolicyLeavesTheOtherSettings() {
        for (int bits = 0; bits < 32; bits++) {
            assertThat(settings(bits).with(Optional.empty())).isEqualTo(settings(bits & ~1));
            assertThat(settings(bits).with(Optional.of(POLICY))).isEqualTo(settings(bits | 1));
        }
    }

    @Test
    void negativeSizesAndTimesAreNoSettings() {
        assertThatThrownBy(() -> new ConversionRule(Duration.ofMillis(-1), POLICY))
                .hasMessageContaining("negative time");
        assertThatThrownBy(() -> new DirectorySettings(
                        Optional.empty(), Optional.empty(), Optional.empty(), Optional.of(-1L), List.of()))
                .hasMessageContaining("-1 bytes");
    }
}
