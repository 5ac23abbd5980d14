package io.ecfs.namenode.user;

import static org.assertj.core.api.Assertions.assertThat;

import io.ecfs.message.namespace.NamespaceRequest;
import java.util.Arrays;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class RequestRightsTest {
    private static Stream<Class<?>> kinds(Class<?> type) {
        return type.isSealed()
                ? Arrays.stream(type.getPermittedSubclasses()).flatMap(RequestRightsTest::kinds)
                : Stream.of(type);
    }

    @Test
    void itIsDecidedOfEveryKindOfRequestWhoMayAskIt() {
        assertThat(kinds(NamespaceRequest.class))
                .hasSizeGreaterThan(50)
                .allSatisfy(kind -> assertThat(RequestRights.of(kind))
                        .as("a rule in RequestRights for %s", kind.getSimpleName())
                        .isPresent());
    }
}
