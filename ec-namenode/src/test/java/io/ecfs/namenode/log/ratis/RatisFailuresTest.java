package io.ecfs.namenode.log.ratis;

import static org.assertj.core.api.Assertions.assertThat;

import io.ecfs.error.ErrorCode;
import java.util.Optional;
import java.util.concurrent.CompletionException;
import org.apache.ratis.protocol.exceptions.ResourceUnavailableException;
import org.junit.jupiter.api.Test;

class RatisFailuresTest {
    private final Throwable refused = new CompletionException(new ResourceUnavailableException("no permit"));

    private static RatisFailures of(boolean leading) {
        return new RatisFailures("nn0", () -> leading, Optional::empty, id -> Optional.empty());
    }

    @Test
    void aLeaderThatHasNoRoomIsBusy() {
        assertThat(of(true).of(refused).code()).isEqualTo(ErrorCode.BUSY);
    }

    @Test
    void oneThatStopsLeadsNoMoreThoughRatisSaysTheSame() {
        assertThat(of(false).of(refused).code()).isEqualTo(ErrorCode.NOT_LEADER);
    }
}
