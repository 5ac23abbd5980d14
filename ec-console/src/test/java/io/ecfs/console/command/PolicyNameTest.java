package io.ecfs.console.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ecfs.layout.Policy;
import java.util.List;
import org.junit.jupiter.api.Test;
import picocli.CommandLine.TypeConversionException;

class PolicyNameTest {
    @Test
    void aNameIsThePolicyItNames() {
        for (String name : List.of("rs-6-3-1024k", "rs-6-3", "replication-3", "lrc-12-2-2")) {
            assertThat(new PolicyName().convert(name)).isEqualTo(Policy.parse(name));
        }
    }

    @Test
    void aBadNameIsWrongUsageWithTheNearestValidOne() {
        assertThatThrownBy(() -> new PolicyName().convert("rs-6-3-1022k"))
                .isInstanceOf(TypeConversionException.class)
                .hasMessageContaining("nearest is rs-6-3-1024k");
        for (String bad : List.of("", "rs", "rs-0-1", "raid-5")) {
            assertThatThrownBy(() -> new PolicyName().convert(bad)).isInstanceOf(TypeConversionException.class);
        }
    }
}
