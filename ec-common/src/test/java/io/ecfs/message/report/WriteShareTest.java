package io.ecfs.message.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.ecfs.layout.Policy;
import io.ecfs.layout.WriteSide;
import io.ecfs.plan.write.WritePart;
import io.ecfs.plan.write.WriteStep;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class WriteShareTest {
    private static final Policy POLICY = Policy.parse("rs-3-2-64k");

    /** Another for each part. */
    private static long bit(WritePart part) {
        return 1L << List.of(WritePart.values()).indexOf(part);
    }

    private static WriteShare share(long times) {
        return WriteShare.of(POLICY, WriteSide.MASTER, times, 2 * times, 3 * times, part -> times * bit(part));
    }

    @ParameterizedTest
    @EnumSource
    void eachPartIsTheComponentOfItsName(WritePart part) throws ReflectiveOperationException {
        String name = part.name().toLowerCase(Locale.ROOT);
        Object component = WriteShare.class.getMethod(name).invoke(share(1));
        assertThat(component).isEqualTo(bit(part)).isEqualTo(share(1).nanos(part));
    }

    @Test
    void stepsAreSumsOfTheirParts() {
        assertThat(share(1).nanos(WriteStep.CO)).isEqualTo(1 + 2 + 4);
        assertThat(share(1).nanos(WriteStep.SP)).isEqualTo(64);
        assertThat(share(1).steps()).isEqualTo(127);
    }

    @Test
    void sharesAreAddedAndTakenAwayPartByPart() {
        assertThat(share(2).plus(share(3))).isEqualTo(share(5));
        assertThat(share(5).since(share(3))).isEqualTo(share(2));
        assertThat(share(3).since(share(5))).isEqualTo(WriteShare.none(POLICY, WriteSide.MASTER));
        long most = Long.MAX_VALUE;
        WriteShare full = WriteShare.of(POLICY, WriteSide.CLIENT, most, most, most, part -> most);
        assertThat(full.plus(full)).isEqualTo(full);
        assertThat(full.steps()).isEqualTo(most);
    }
}
