package io.ecfs.client.base;

import static org.assertj.core.api.Assertions.assertThat;

import io.ecfs.env.ManualTime;
import io.ecfs.error.ErrorCode;
import io.ecfs.layout.Policy;
import io.ecfs.layout.WriteSide;
import io.ecfs.message.namespace.NamespaceRequest;
import io.ecfs.message.namespace.NamespaceRequest.ReportWrites;
import io.ecfs.message.report.RelayFallbacks;
import io.ecfs.message.report.WriteShare;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Reports of the times of a client's writes. */
class WriteReportsTest {
    private final ManualTime time = new ManualTime(1);
    private final List<NamespaceRequest> sent = new ArrayList<>();
    private List<WriteShare> written = List.of();
    private List<RelayFallbacks> fallbacks = List.of();
    private CompletableFuture<Void> answer = CompletableFuture.completedFuture(null);
    private final WriteReports reports =
            new WriteReports(time.scheduler("client"), () -> written, () -> fallbacks, this::send);

    private CompletableFuture<Void> send(NamespaceRequest report) {
        sent.add(report);
        return answer;
    }

    private static WriteShare stripes(long count) {
        return new WriteShare(Policy.parse("rs-3-2-64k"), WriteSide.CLIENT, count, 10 * count, 0, 0, 0, 0, 0, 0, 0, 0);
    }

    private static ReportWrites report(WriteShare share) {
        return new ReportWrites(List.of(share), Optional.empty());
    }

    private void write(long stripesInAll) {
        written = List.of(stripes(stripesInAll));
        reports.changed();
    }

    private CompletableFuture<Void> flush() {
        CompletableFuture<Void> flushed = reports.flush();
        time.advance(Duration.ZERO);
        return flushed;
    }

    @Test
    void whatWasAddedIsReportedTwoSecondsAfterAChange() {
        write(3);
        time.advance(Duration.ofSeconds(1));
        assertThat(sent).isEmpty();
        time.advance(Duration.ofSeconds(1));
        write(5);
        time.advance(Duration.ofSeconds(2));
        assertThat(sent).containsExactly(report(stripes(3)), report(stripes(2)));
    }

    @Test
    void aFlushReportsAtOnceAndOnlyOnce() {
        write(3);
        assertThat(flush()).isCompleted();
        assertThat(flush()).isCompleted();
        time.advance(Duration.ofSeconds(10));
        assertThat(sent).containsExactly(report(stripes(3)));
    }

    @Test
    void eachFallbackIsReportedOnceWithItsReason() {
        fallbacks = List.of(new RelayFallbacks(ErrorCode.BUSY, 2));
        flush();
        fallbacks = List.of(new RelayFallbacks(ErrorCode.TIMEOUT, 1), new RelayFallbacks(ErrorCode.BUSY, 5));
        flush();
        flush();
        assertThat(sent)
                .containsExactly(
                        new ReportWrites(List.of(), Optional.of(List.of(new RelayFallbacks(ErrorCode.BUSY, 2)))),
                        new ReportWrites(
                                List.of(),
                                Optional.of(List.of(
                                        new RelayFallbacks(ErrorCode.TIMEOUT, 1),
                                        new RelayFallbacks(ErrorCode.BUSY, 3)))));
    }

    @Test
    void aFlushWaitsForTheAnswerToAnEarlierReport() {
        answer = new CompletableFuture<>();
        write(3);
        time.advance(Duration.ofSeconds(2));
        CompletableFuture<Void> flushed = flush();
        assertThat(flushed).isNotDone();
        answer.complete(null);
        assertThat(flushed).isCompleted();
    }

    @Test
    void aFlushWithoutAnAnswerEndsAtItsTimeout() {
        answer = new CompletableFuture<>();
        write(3);
        CompletableFuture<Void> flushed = flush();
        time.advance(WriteReports.CLOSE_TIMEOUT.minusMillis(1));
        assertThat(flushed).isNotDone();
        time.advance(Duration.ofMillis(1));
        assertThat(flushed).isCompleted();
    }
}
