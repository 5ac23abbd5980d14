package io.ecfs.wire.server;

import io.ecfs.buffer.MemoryBudget;
import io.ecfs.message.Greeting;
import io.ecfs.wire.Handler;
import io.ecfs.wire.WireOptions;
import io.ecfs.wire.codec.MessageCodec;
import io.ecfs.wire.tls.PeerProof;
import io.netty.channel.group.ChannelGroup;
import java.util.function.Supplier;

/**
 * State that all connections of one server share.
 *
 * @param greeting read anew for each greeting: a daemon may learn its cluster after it listens
 */
record ServerContext(
        WireOptions options,
        Supplier<Greeting.Welcome> greeting,
        PeerProof proof,
        Handler handler,
        MessageCodec codec,
        ChannelGroup connections,
        RequestMemory requestMemory,
        MemoryBudget answerBytes,
        Traffic traffic) {}
