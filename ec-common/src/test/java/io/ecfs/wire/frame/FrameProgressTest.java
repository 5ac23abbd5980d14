package io.ecfs.wire.frame;

import static org.assertj.core.api.Assertions.assertThat;

import io.ecfs.buffer.MemoryBudget;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.embedded.EmbeddedChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

final class FrameProgressTest {
    private static final int LIMIT = 16 << 20;
    private static final int LENGTH = 4 << 20;

    private final MemoryBudget memory = new MemoryBudget("memory", LIMIT);
    private final FrameDecoder decoder = new FrameDecoder(Intake.of(memory), LIMIT);
    private final List<String> malformed = new ArrayList<>();
    private final EmbeddedChannel channel = new EmbeddedChannel();
    private int frames;

    private void open() {
        channel.freezeTime();
        channel.pipeline().addLast(decoder, new FrameProgress(decoder), new ChannelInboundHandlerAdapter() {
            @Override
            public void channelRead(ChannelHandlerContext context, Object message) {
                Frame frame = (Frame) message;
                frames++;
                memory.release(frame.header().length());
                frame.release();
            }

            @Override
            public void userEventTriggered(ChannelHandlerContext context, Object event) {
                malformed.add(((MalformedFrame) event).reason());
            }
        });
    }

    @AfterEach
    void everythingIsGivenBack() {
        channel.finishAndReleaseAll();
        assertThat(memory.usedBytes()).isZero();
    }

    private static ByteBuf header() {
        ByteBuf header = Unpooled.buffer(FrameHeader.BYTES).writerIndex(FrameHeader.BYTES);
        new FrameHeader(LENGTH, 16, 0, 0, 1).put(header);
        return header;
    }

    private void send(int bytes) {
        channel.writeInbound(Unpooled.buffer(bytes).writeZero(bytes));
    }

    private void pass(int seconds) {
        channel.advanceTimeBy(seconds, TimeUnit.SECONDS);
        channel.runScheduledPendingTasks();
    }

    @Test
    void aFrameOfWhichAByteAMinuteComesEndsItsConnection() {
        open();
        channel.writeInbound(header());
        send(1);
        pass(4);
        assertThat(channel.isOpen()).isTrue();
        pass(1);
        assertThat(channel.isOpen()).isFalse();
        assertThat(malformed).singleElement().asString().contains("a frame stands still: 1 bytes of it came in 5 s");
    }

    @Test
    void aHeaderOfWhichNoMoreComesEndsItsConnection() {
        open();
        channel.writeInbound(header().readSlice(7));
        pass(5);
        assertThat(channel.isOpen()).isFalse();
    }

    @Test
    void aSlowPeerThatGoesOnIsWaitedFor() {
        open();
        channel.writeInbound(header());
        for (int sent = 0; sent < LENGTH; sent += 64 << 10) {
            assertThat(channel.isOpen()).isTrue();
            send(64 << 10);
            pass(1);
        }
        assertThat(frames).isOne();
        pass(60);
        assertThat(channel.isOpen()).isTrue();
        assertThat(malformed).isEmpty();
    }

    @Test
    void timeInWhichNothingIsReadIsNotThePeers() {
        open();
        channel.writeInbound(header());
        decoder.hold(FrameDecoder.Hold.WAITING);
        pass(60);
        assertThat(channel.isOpen()).isTrue();
        decoder.resume(FrameDecoder.Hold.WAITING);
        send(LENGTH);
        pass(5);
        assertThat(channel.isOpen()).isTrue();
        assertThat(frames).isOne();
    }

    /** The next frame begins right before the connection is looked at. */
    @Test
    void aFrameThatHasJustBegunIsNotJudgedByTheOneBefore() {
        open();
        channel.writeInbound(header());
        send(1);
        pass(4);
        send(LENGTH - 1);
        channel.writeInbound(header());
        pass(1);
        assertThat(channel.isOpen()).isTrue();
        pass(5);
        assertThat(channel.isOpen()).isFalse();
    }
}
