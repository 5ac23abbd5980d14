package io.ecfs.advise;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Random;
import org.junit.jupiter.api.Test;

class FileSizesTest {
    private static FileSizes of(long... lengths) {
        FileSizes sizes = new FileSizes();
        for (long length : lengths) {
            sizes.add(length);
        }
        return sizes;
    }

    @Test
    void numberAndTotalStayExact() {
        Random random = new Random(3);
        for (int i = 0; i < 2000; i++) {
            FileSizes sizes = new FileSizes();
            long count = 0;
            long total = 0;
            long empty = 0;
            int files = 1 + random.nextInt(200);
            int bits = 1 + random.nextInt(48);
            for (int file = 0; file < files; file++) {
                long length = random.nextInt(10) == 0 ? 0 : random.nextLong() >>> (64 - bits);
                sizes.add(length);
                count += length > 0 ? 1 : 0;
                empty += length == 0 ? 1 : 0;
                total += length;
            }
            assertThat(sizes.sets().stream().mapToLong(FileSet::count).sum()).isEqualTo(count);
            assertThat(sizes.sets().stream()
                            .mapToLong(set -> set.count() * set.bytes())
                            .sum())
                    .isEqualTo(total);
            assertThat(sizes.empty()).isEqualTo(empty);
            assertThat(sizes.sets().stream().mapToLong(FileSet::bytes)).isSorted();
        }
    }

    @Test
    void aClassEndsWithThePowerOfTwoItself() {
        assertThat(of(1 << 20, (1 << 20) + 1, 1, 2, 3, 4).sets())
                .containsExactly(
                        new FileSet(1, 1),
                        new FileSet(1, 2),
                        new FileSet(1, 3),
                        new FileSet(1, 4),
                        new FileSet(1, 1 << 20),
                        new FileSet(1, (1 << 20) + 1));
    }

    @Test
    void filesOfAClassHaveItsMeanLength() {
        assertThat(of(1000, 1010, 1020).sets()).containsExactly(new FileSet(3, 1010));
        assertThat(of(5, 6, 6).sets()).containsExactly(new FileSet(1, 5), new FileSet(2, 6));
        assertThat(of().sets()).isEmpty();
        assertThat(of(0).sets()).isEmpty();
    }

    @Test
    void refusesWhatIsNoLengthAndWhatIsTooLong() {
        assertThatThrownBy(() -> of(-1)).hasMessageContaining("got -1");
        assertThatThrownBy(() -> of(Long.MAX_VALUE).sets()).hasMessageContaining("1 byte to 1024t");
    }
}
