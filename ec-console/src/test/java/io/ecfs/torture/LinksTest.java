package io.ecfs.torture;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.ecfs.error.EcfsException;
import io.ecfs.error.ErrorCode;
import io.ecfs.message.Address;
import io.ecfs.message.Message;
import io.ecfs.message.namespace.NamespaceReply;
import io.ecfs.message.namespace.NamespaceRequest;
import io.ecfs.torture.fault.Machines.Lost;
import io.ecfs.wire.Await;
import io.ecfs.wire.Caller;
import io.ecfs.wire.Envelope;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Which messages arrive through a cut link. */
class LinksTest {
    private static final Address ONE = new Address("one", 1);
    private static final Address OTHER = new Address("other", 2);

    private final Links links = new Links();
    private final List<Address> called = new ArrayList<>();
    private final ByteBuf answered = Unpooled.buffer(8);
    private final Caller caller = links.over("client0", new Answering());

    /** Answers everything at once. */
    private final class Answering implements Caller {
        @Override
        public CompletableFuture<Envelope> call(Address to, Message request, ByteBuf payload, Duration timeout) {
            called.add(to);
            payload.release();
            return CompletableFuture.completedFuture(
                    new Envelope(new NamespaceReply.Done(), answered.retainedDuplicate()));
        }

        @Override
        public void close() {}
    }

    private Throwable call(Address to, ByteBuf payload) {
        return catchThrowable(
                () -> Await.result(caller.call(to, new NamespaceRequest.GetSpace(), payload, Duration.ofSeconds(1)))
                        .release());
    }

    @Test
    void aLostRequestHasNoEffectAndIsReleased() {
        ByteBuf payload = Unpooled.buffer(8);
        Runnable join = links.cut("client0", Set.of(ONE), Lost.REQUESTS);

        assertThat(call(ONE, payload))
                .isInstanceOfSatisfying(
                        EcfsException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.UNREACHABLE));
        assertThat(called).isEmpty();
        assertThat(payload.refCnt()).isZero();
        assertThat(call(OTHER, Unpooled.EMPTY_BUFFER)).isNull();
        join.run();
        assertThat(call(ONE, Unpooled.EMPTY_BUFFER)).isNull();
        assertThat(called).containsExactly(OTHER, ONE);
    }

    @Test
    void aLostAnswerLeavesTheEffectAndIsReleased() {
        links.cut("client0", Set.of(ONE), Lost.ANSWERS);

        assertThat(call(ONE, Unpooled.EMPTY_BUFFER))
                .isInstanceOfSatisfying(
                        EcfsException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.CONNECTION_LOST));
        assertThat(called).containsExactly(ONE);
        assertThat(answered.refCnt()).isEqualTo(1);
    }

    @Test
    void aCutIsOfOneSenderAlone() {
        links.cut("client1", Set.of(ONE), Lost.REQUESTS);

        assertThat(call(ONE, Unpooled.EMPTY_BUFFER)).isNull();
    }
}
