package io.ecfs.wire;

import static org.assertj.core.api.Assertions.assertThat;

import io.ecfs.error.EcfsException;
import io.ecfs.message.Address;
import io.ecfs.message.Message;
import io.ecfs.wire.codec.MessageCodec;
import io.ecfs.wire.frame.FrameHeader;
import io.ecfs.wire.frame.RawFrames;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.io.EOFException;
import java.io.IOException;
import java.io.OutputStream;
import java.net.Socket;
import java.net.SocketException;
import java.util.Arrays;

/** The other end of a connection that sends whatever bytes a test wants, and reads only when told. */
public final class RawPeer implements AutoCloseable {
    private final Socket socket;

    public RawPeer(Address address) throws IOException {
        socket = new Socket(address.host(), address.port());
        socket.setSoTimeout(20_000);
    }

    public static byte[] frame(long id, Message head, int payloadBytes) throws EcfsException {
        return RawFrames.of(id, head, WireFixture.pattern(payloadBytes));
    }

    public RawPeer send(byte[] bytes) throws IOException {
        socket.getOutputStream().write(bytes);
        socket.getOutputStream().flush();
        return this;
    }

    /** The head of the next frame that comes. */
    public Message receive() throws IOException {
        ByteBuf header = Unpooled.wrappedBuffer(socket.getInputStream().readNBytes(FrameHeader.BYTES));
        if (header.readableBytes() < FrameHeader.BYTES) {
            throw new EOFException("closed by the server");
        }
        FrameHeader frame = FrameHeader.read(header);
        byte[] bytes = socket.getInputStream().readNBytes(frame.length());
        return new MessageCodec().decode(frame.type(), Arrays.copyOf(bytes, frame.headBytes()));
    }

    /** Sends a request and reads the answer. */
    public Message ask(Message request) throws IOException {
        return send(frame(1, request, 0)).receive();
    }

    /** Reads until the server closes. */
    void drain() throws IOException {
        try {
            socket.getInputStream().transferTo(OutputStream.nullOutputStream());
        } catch (SocketException e) {
            assertThat(e).hasMessageContaining("reset"); // closed as well, with bytes of ours unread
        }
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
