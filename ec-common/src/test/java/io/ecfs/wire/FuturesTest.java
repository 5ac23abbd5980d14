package io.ecfs.wire;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class FuturesTest {
    private final CompletableFuture<String> call = new CompletableFuture<>();
    private final CompletableFuture<String> result = new CompletableFuture<>();
    private final List<String> unwanted = new ArrayList<>();

    @Test
    void theResultIsWhatTheCallBrings() {
        Futures.join(call, result, unwanted::add);
        call.complete("bytes");
        assertThat(result.join()).isEqualTo("bytes");
        assertThat(unwanted).isEmpty();
    }

    @Test
    void theResultFailsWithTheCallsOwnFailure() {
        Futures.join(call, result, unwanted::add);
        IllegalStateException failure = new IllegalStateException("no such chunk");
        call.completeExceptionally(failure);
        assertThat(result.handle((value, thrown) -> thrown).join()).isSameAs(failure);
    }

    @Test
    void aCancelGoesBackToTheCallAndNoOtherEndDoes() {
        Futures.join(call, result, unwanted::add);
        CompletableFuture<String> other = new CompletableFuture<>();
        Futures.join(call, other, unwanted::add);
        other.completeExceptionally(new IllegalStateException("too late"));
        assertThat(call).isNotDone();
        result.cancel(false);
        assertThat(call).isCancelled();
    }

    @Test
    void aValueThatComesTooLateIsReleased() {
        Futures.forward(call, result, unwanted::add);
        result.cancel(false);
        call.complete("bytes");
        assertThat(unwanted).containsExactly("bytes");
    }

    @Test
    void aComposedCallPassesItsFailureUnwrapped() {
        Futures.forward(call.thenApply(value -> value), result);
        IllegalStateException failure = new IllegalStateException("no such chunk");
        call.completeExceptionally(failure);
        assertThat(result.handle((value, thrown) -> thrown).join()).isSameAs(failure);
    }

    @Test
    void aCallThatIsOverAlreadyIsPassedOnAtOnce() {
        call.completeExceptionally(new CancellationException("given up"));
        Futures.join(call, result, unwanted::add);
        assertThat(result).isCancelled();
    }
}
