package io.ecfs.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ecfs.wire.Await;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class AwaitTest {
    @Test
    void whatArrivesTogetherWithTheInterruptIsHandedOver() throws IOException {
        CompletableFuture<String> both = new CompletableFuture<>() {
            @Override
            public String get() throws InterruptedException {
                complete("bytes");
                throw new InterruptedException();
            }
        };
        assertThat(Await.result(both)).isEqualTo("bytes");
        assertThat(Thread.interrupted()).isTrue();
    }

    @Test
    void anInterruptGivesUpTheWait() {
        CompletableFuture<String> never = new CompletableFuture<>();
        Thread.currentThread().interrupt();
        assertThatThrownBy(() -> Await.result(never)).isInstanceOf(InterruptedIOException.class);
        assertThat(Thread.interrupted()).isTrue();
        assertThat(never).isCancelled();
    }
}
