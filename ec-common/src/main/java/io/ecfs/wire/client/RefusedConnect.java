package io.ecfs.wire.client;

import io.ecfs.message.Address;
import io.netty.bootstrap.Bootstrap;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelOption;
import java.net.ConnectException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;

/** Connects to an address only to learn whether a process listens there; sends nothing and closes at once. */
final class RefusedConnect {
    /** Both of the JDK and of glibc. Time-outs are {@link ConnectException}s too, with other texts. */
    private static final String REFUSED = "Connection refused";

    private RefusedConnect() {}

    static CompletableFuture<Boolean> at(Address address, ClientContext shared) {
        CompletableFuture<Boolean> refused = new CompletableFuture<>();
        try {
            ChannelFuture connecting = new Bootstrap()
                    .group(shared.loops().group().next())
                    .channel(shared.loops().socketChannel())
                    .option(ChannelOption.CONNECT_TIMEOUT_MILLIS, (int)
                            shared.options().connectTimeout().toMillis())
                    .handler(new ChannelInboundHandlerAdapter())
                    .connect(address.host(), address.port());
            connecting.addListener(done -> {
                connecting.channel().close();
                refused.complete(!done.isSuccess() && refused(done.cause()));
            });
        } catch (RejectedExecutionException e) {
            refused.complete(false); // the event loops are closed
        }
        return refused;
    }

    private static boolean refused(Throwable cause) {
        return cause instanceof ConnectException
                && String.valueOf(cause.getMessage()).contains(REFUSED);
    }
}
