package io.ecfs.namenode.user;

import static org.assertj.core.api.Assertions.assertThat;

import io.ecfs.dispatch.HandlerTable;
import io.ecfs.message.namespace.NamespaceOperation;
import io.ecfs.message.namespace.NamespaceOperation.Access;
import io.ecfs.message.namespace.NamespaceRequest;
import org.junit.jupiter.api.Test;

class RequestRightsTest {
    @Test
    void everyRequestHasAnOperationWithTheWordsOfARefusal() {
        assertThat(HandlerTable.records(NamespaceRequest.class))
                .hasSizeGreaterThan(50)
                .allSatisfy(kind -> {
                    NamespaceOperation operation = kind.getAnnotation(NamespaceOperation.class);
                    assertThat(operation)
                            .as("@NamespaceOperation of %s", kind.getSimpleName())
                            .isNotNull();
                    assertThat(operation.doing().isEmpty())
                            .as("doing of %s", kind.getSimpleName())
                            .isEqualTo(operation.access() != Access.SUPERUSER);
                });
    }
}
