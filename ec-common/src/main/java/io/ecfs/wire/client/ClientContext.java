package io.ecfs.wire.client;

import io.ecfs.message.Greeting;
import io.ecfs.wire.WireLoops;
import io.ecfs.wire.WireOptions;
import io.ecfs.wire.codec.MessageCodec;
import io.ecfs.wire.tls.PeerProof;
import io.netty.handler.ssl.SslContext;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * State that all connections of one client share.
 *
 * @param greeting read anew for each connection: a daemon may learn its cluster after it calls
 */
record ClientContext(
        WireLoops loops,
        WireOptions options,
        Supplier<Greeting.Hello> greeting,
        PeerProof proof,
        MessageCodec codec,
        Optional<SslContext> tls) {}
