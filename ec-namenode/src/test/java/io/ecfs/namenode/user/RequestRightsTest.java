package io.ecfs.namenode.user;

import static org.assertj.core.api.Assertions.assertThat;

import io.ecfs.dispatch.HandlerTable;
import io.ecfs.message.namespace.NamespaceRequest;
import org.junit.jupiter.api.Test;

class RequestRightsTest {
    @Test
    void itIsDecidedOfEveryKindOfRequestWhoMayAskIt() {
        assertThat(HandlerTable.records(NamespaceRequest.class))
                .hasSizeGreaterThan(50)
                .allSatisfy(kind -> assertThat(RequestRights.of(kind))
                        .as("a rule in RequestRights for %s", kind.getSimpleName())
                        .isPresent());
    }
}
