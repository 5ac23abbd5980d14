package io.ecfs.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ecfs.error.EcfsException;
import io.ecfs.error.ErrorCode;
import io.ecfs.message.FilePath;
import io.ecfs.wire.Await;
import java.io.IOException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class DeleteInPartsTest extends ClusterTest {
    private static final FilePath TOP = new FilePath("/top");

    @BeforeEach
    void fill() throws IOException {
        start(6);
        for (int i = 0; i < 10; i++) {
            for (int j = 0; j < 10; j++) {
                Await.result(client.mkdirs(TOP.child("d" + i).child("e" + j), 0755, true));
            }
        }
        cluster.on(c -> c.namenode().mostDeletedAtOnce = 5);
    }

    @Test
    void aDirectoryWithTooMuchInItForOneStepIsEmptiedFirst() throws IOException {
        Await.result(client.delete(TOP, true));
        assertThatThrownBy(() -> Await.result(client.status(TOP)))
                .isInstanceOfSatisfying(
                        EcfsException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.NOT_FOUND));
    }

    @Test
    void nothingIsEmptiedWhereThatWasNotAskedFor() {
        assertThatThrownBy(() -> Await.result(client.delete(TOP, false)))
                .isInstanceOfSatisfying(
                        EcfsException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.NOT_EMPTY));
        assertThat(cluster.<Integer>on(c -> c.namenode().directories.size())).isEqualTo(112);
    }
}
