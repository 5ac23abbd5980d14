package io.ecfs.token;

import io.ecfs.env.Clock;
import io.ecfs.error.EcfsException;
import io.ecfs.error.ErrorCode;
import io.ecfs.layout.Policy;
import io.ecfs.message.FeatureLevel;
import io.ecfs.message.chunk.BlockToken;
import io.ecfs.message.chunk.BlockToken.Right;
import io.ecfs.message.chunk.BlockToken.Scope;
import io.ecfs.message.chunk.RelayTarget;
import io.ecfs.message.chunk.RelayToken;
import io.ecfs.message.datanode.TokenKey;
import java.security.MessageDigest;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/**
 * Checks tokens against the keys received last. Tokens of version 1, and writes that show none, pass while the
 * cluster's feature level has not been raised to {@link FeatureLevel#BOUND_TOKENS}, and for {@link #GRACE} after that:
 * writers that began before have renewed theirs by then. Safe for use by several threads.
 */
public final class BlockTokenVerifier {
    /** As long as a token lives. */
    public static final Duration GRACE = Duration.ofHours(1);

    private static final long NEVER = Long.MAX_VALUE;

    private final Clock clock;
    private final Supplier<String> cluster;
    private final AtomicReference<Map<Integer, TokenSigner>> keys = new AtomicReference<>(Map.of());
    /** From when on tokens of version 1 are refused, milliseconds since the epoch. */
    private final AtomicLong boundFrom = new AtomicLong(NEVER);

    /** @param cluster id of the cluster; empty while there is none */
    public BlockTokenVerifier(Clock clock, Supplier<String> cluster) {
        this.clock = Objects.requireNonNull(clock, "clock");
        this.cluster = Objects.requireNonNull(cluster, "cluster");
    }

    /** Replaces all keys; an empty list changes nothing, since a namenode that knows no key yet takes none away. */
    public void keys(List<TokenKey> now) {
        if (!now.isEmpty()) {
            keys.set(now.stream()
                    .map(TokenSigner::new)
                    .collect(Collectors.toUnmodifiableMap(
                            signer -> signer.key().id(), Function.identity(), (a, b) -> b)));
        }
    }

    /**
     * The feature level in force as a namenode says it.
     *
     * @param before as it was known; {@link FeatureLevel#NONE} when it was not: then nothing that runs here began
     *     before it
     */
    public void levelInForce(int before, int level) {
        if (level >= FeatureLevel.BOUND_TOKENS) {
            boundFrom(before == FeatureLevel.NONE ? clock.epochMillis() : afterGrace(clock.epochMillis()));
        }
    }

    /**
     * Passes when the token was signed by a known key, is for this chunk of this cluster, these bytes of it and this
     * caller, gives the right, and has not expired.
     *
     * @throws EcfsException {@code TOKEN_REFUSED} with the first reason found; it never says more than the holder knows
     */
    public void require(BlockToken token, TokenUse use) throws EcfsException {
        Supplier<String> name = () -> nameOf(use);
        TokenSigner signer = signer(token.keyId(), name);
        requireSignature(signer.signature(token), token.signature(), name, "its signature is wrong");
        if (!token.group().equals(use.chunk().group())) {
            throw refused(use, "it is for " + token.group());
        }
        if (use.right() == Right.WRITE && token.right() != Right.WRITE) {
            throw refused(use, "it allows reading only");
        }
        if (token.scope().isPresent()) {
            requireWithin(token.scope().get(), use);
        }
        long now = clock.epochMillis();
        requireAlive(now, token.expiresAtMillis(), signer, name, "ask the namenode for the file's locations again");
        if (token.scope().isPresent()) {
            boundFrom(afterGrace(now)); // the namenode signs none before the level is in force
        } else if (now >= boundFrom.get()) {
            throw refused(use, "it is of version 1; ask the namenode for the file's locations again");
        }
    }

    /** As {@link #require}, of a message that showed no token in releases of level 1: the writer's number had to do. */
    public void requireOfWriter(Optional<BlockToken> token, TokenUse use) throws EcfsException {
        if (token.isPresent()) {
            require(token.get(), use);
        } else if (clock.epochMillis() >= boundFrom.get()) {
            throw refused(use, "there is none, and every write needs one");
        }
    }

    /**
     * Passes when the namenode signed that a datanode of this cluster may write these chunks for the principal, by a
     * known key, and the token has not expired.
     *
     * @param policy of the group
     * @param targets all that were given with the token, in their order
     * @param principal whom the connection is of that asks for it
     * @throws EcfsException {@code TOKEN_REFUSED} with the first reason found
     */
    public void requireRelay(RelayToken token, Policy policy, List<RelayTarget> targets, String principal)
            throws EcfsException {
        Supplier<String> name = () -> "relay token for " + token.group();
        TokenSigner signer = signer(token.keyId(), name);
        requireSignature(
                signer.relaySignature(token, cluster.get(), principal, policy, targets),
                token.signature(),
                name,
                "it was not signed for these " + targets.size() + " chunks at these addresses, this user and this"
                        + " cluster");
        requireAlive(
                clock.epochMillis(),
                token.expiresAtMillis(),
                signer,
                name,
                "ask the namenode for another (RenewToken)");
    }

    private TokenSigner signer(int keyId, Supplier<String> name) throws EcfsException {
        TokenSigner signer = keys.get().get(keyId);
        if (signer == null) {
            throw refused(name, "its key " + keyId + " is not known here (rolled away, or of another cluster)");
        }
        return signer;
    }

    private static void requireSignature(byte[] expected, byte[] shown, Supplier<String> name, String otherwise)
            throws EcfsException {
        if (!MessageDigest.isEqual(expected, shown)) {
            throw refused(name, otherwise);
        }
    }

    private static void requireAlive(
            long now, long expiresAtMillis, TokenSigner signer, Supplier<String> name, String instead)
            throws EcfsException {
        if (now >= expiresAtMillis || now >= signer.key().expiresAtMillis()) {
            throw refused(name, "it expired; " + instead);
        }
    }

    private void requireWithin(Scope scope, TokenUse use) throws EcfsException {
        if (!scope.cluster().equals(cluster.get())) {
            throw refused(use, "it is of another cluster");
        }
        if (!scope.opens(use.chunk())) {
            throw refused(use, "it is for " + chunks(scope) + " of the group");
        }
        boolean bytes = use.fromByte() < use.toByte();
        if (bytes && (use.fromByte() < scope.fromByte() || use.toByte() > scope.toByte())) {
            throw refused(use, "it is for bytes [" + scope.fromByte() + ", " + scope.toByte() + ") of the chunk");
        }
        if (!use.relayed() && !scope.principal().equals(use.principal())) {
            throw refused(use, "it was given to another than the connection's user");
        }
    }

    private static String chunks(Scope scope) {
        String index = scope.index() == Scope.ANY ? "chunks" : "chunk " + scope.index();
        return scope.generation() == Scope.ANY ? index : index + " of generation " + scope.generation();
    }

    private static long afterGrace(long millis) {
        return millis + GRACE.toMillis();
    }

    private void boundFrom(long millis) {
        if (millis < boundFrom.get()) {
            boundFrom.accumulateAndGet(millis, Math::min);
        }
    }

    private static EcfsException refused(TokenUse use, String reason) {
        return refused(() -> nameOf(use), reason);
    }

    private static String nameOf(TokenUse use) {
        return "block token for " + use.chunk();
    }

    /** @param name of the token */
    private static EcfsException refused(Supplier<String> name, String reason) {
        return new EcfsException(ErrorCode.TOKEN_REFUSED, name.get() + " refused: " + reason);
    }
}
