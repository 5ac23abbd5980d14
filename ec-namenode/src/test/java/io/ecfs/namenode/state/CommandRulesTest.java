package io.ecfs.namenode.state;

import static org.assertj.core.api.Assertions.assertThatCode;

import org.junit.jupiter.api.Test;

class CommandRulesTest {
    /** The failure names the commands and mutations that lack a handler. */
    @Test
    void everyCommandAndMutationHasOneHandler() {
        assertThatCode(CommandRules::requireAllHandled).doesNotThrowAnyException();
    }
}
