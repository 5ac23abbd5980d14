package io.ecfs.console.view;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ecfs.layout.EncodingSide;
import org.junit.jupiter.api.Test;

class EncodingChoiceTest {
    @Test
    void eachSideIsReadFromItsTextAndInheritIsNone() {
        assertThat(EncodingChoice.parse("client").side()).contains(EncodingSide.CLIENT);
        assertThat(EncodingChoice.parse("master").side()).contains(EncodingSide.MASTER);
        assertThat(EncodingChoice.parse("auto").side()).contains(EncodingSide.AUTO);
        assertThat(EncodingChoice.parse("inherit").side()).isEmpty();
    }

    @Test
    void anotherTextIsAnsweredWithTheNearestOne() {
        assertThatThrownBy(() -> EncodingChoice.parse("mastr"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("no encoding side 'mastr': did you mean master? There are client, master, auto, inherit");
        assertThatThrownBy(() -> EncodingChoice.parse("Client")).hasMessageContaining("did you mean client?");
    }
}
