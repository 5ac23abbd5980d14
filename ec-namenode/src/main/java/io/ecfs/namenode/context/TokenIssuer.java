package io.ecfs.namenode.context;

import io.ecfs.error.EcfsException;
import io.ecfs.error.ErrorCode;
import io.ecfs.error.Invariant;
import io.ecfs.layout.GroupLayout.ChunkRange;
import io.ecfs.layout.Policy;
import io.ecfs.message.DatanodeId;
import io.ecfs.message.FeatureLevel;
import io.ecfs.message.chunk.BlockToken;
import io.ecfs.message.chunk.BlockToken.Right;
import io.ecfs.message.chunk.BlockToken.Scope;
import io.ecfs.message.chunk.RelayTarget;
import io.ecfs.message.chunk.RelayToken;
import io.ecfs.message.datanode.TokenKey;
import io.ecfs.namenode.cluster.ClusterIdentity;
import io.ecfs.namenode.group.GroupFacts;
import io.ecfs.namenode.state.MetadataView;
import io.ecfs.token.TokenSigner;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * Signs block tokens with the newest key that every datanode has had time to receive, of version 1 while the feature
 * level before {@link FeatureLevel#BOUND_TOKENS} is in force. Owner thread: the namenode's event thread.
 */
public final class TokenIssuer {
    /** Lifetime of the cached keys: keys are rolled long before they are used. */
    private static final Duration CACHED_FOR = Duration.ofSeconds(1);

    /** Generation of a group's chunks when it is allocated. */
    private static final int WRITTEN_GENERATION = 0;

    private final NamenodeContext context;
    private Facts cached = new Facts(List.of(), "", FeatureLevel.FIRST);
    private Optional<TokenSigner> signer = Optional.empty(); // of the last key that was used
    private long cachedAt;

    /** The facts that tokens are made of. */
    private record Facts(List<TokenKey> keys, String cluster, int level) {
        static Facts of(MetadataView view) {
            return new Facts(
                    view.tokenKeys(),
                    view.identity().map(ClusterIdentity::clusterId).orElse(""),
                    view.levelInForce());
        }
    }

    public TokenIssuer(NamenodeContext context) {
        this.context = context;
    }

    /**
     * A token for a user, for the chunks that the group has now.
     * @throws EcfsException {@code SAFE_MODE} before the cluster has its first key
     */
    BlockToken forUser(GroupFacts group, Right right, String user) throws EcfsException {
        int generation = right == Right.WRITE ? WRITTEN_GENERATION : generation(group);
        return issue(group, right, scoped(generation, user), context.settings().tokenLife());
    }

    /** As {@link #forUser(GroupFacts, Right, String)} to read these bytes of each chunk. */
    BlockToken forUser(GroupFacts group, ChunkRange range, String user) throws EcfsException {
        int generation = generation(group);
        return issue(
                group,
                Right.READ,
                cluster -> new Scope(cluster, Scope.ANY, generation, range.from(), range.to(), user),
                context.settings().tokenLife());
    }

    private static Function<String, Scope> scoped(int generation, String principal) {
        return cluster -> Scope.ofGroup(cluster, generation, principal);
    }

    /**
     * A token for a datanode that reads the group's chunks, older ones that they are compared with too.
     * @param deadline of its work, which the token lasts for
     * @throws EcfsException as {@link #forUser}
     */
    public BlockToken forDatanode(GroupFacts group, DatanodeId datanode, Duration deadline) throws EcfsException {
        Duration usual = context.settings().tokenLife();
        Duration life = usual.compareTo(deadline) < 0 ? deadline : usual;
        return issue(group, Right.READ, scoped(Scope.ANY, Scope.principalOf(datanode)), life);
    }

    /**
     * A token for a datanode that fills an open group.
     * @param deadline as in {@link #forDatanode}
     * @throws EcfsException as {@link #forUser}
     */
    public BlockToken forFilling(GroupFacts group, DatanodeId datanode, Duration deadline) throws EcfsException {
        Duration usual = context.settings().tokenLife();
        Duration life = usual.compareTo(deadline) < 0 ? deadline : usual;
        return issue(group, Right.WRITE, scoped(WRITTEN_GENERATION, Scope.principalOf(datanode)), life);
    }

    /**
     * The right to have a datanode write for the holder of a token, as long as that one lives.
     *
     * @param token that was issued last
     * @param policy of its group
     * @param targets all chunks of its group, by growing index
     * @return empty for a token of version 1
     */
    Optional<RelayToken> relay(BlockToken token, Policy policy, List<RelayTarget> targets) {
        TokenSigner of = signer.orElseThrow();
        Invariant.check(of.key().id() == token.keyId(), "the key %d signed no token last", token.keyId());
        return token.scope()
                .map(scope -> of.signRelay(
                        scope.cluster(),
                        token.group(),
                        token.stamp(),
                        scope.principal(),
                        policy,
                        targets,
                        token.expiresAtMillis()));
    }

    private static int generation(GroupFacts group) {
        int[] generations = group.stored().stream()
                .mapToInt(stored -> stored.chunk().generation())
                .distinct()
                .toArray();
        return generations.length == 1 ? generations[0] : Scope.ANY;
    }

    private BlockToken issue(GroupFacts group, Right right, Function<String, Scope> scoped, Duration life)
            throws EcfsException {
        Facts facts = facts();
        if (facts.keys().isEmpty()) {
            throw new EcfsException(
                    ErrorCode.SAFE_MODE, "the cluster has no key for block tokens yet: try again in a moment");
        }
        TokenKey key = signing(facts.keys());
        long expires = Math.min(context.epochMillis() + life.toMillis(), key.expiresAtMillis());
        Optional<Scope> scope = facts.level() >= FeatureLevel.BOUND_TOKENS
                ? Optional.of(scoped.apply(facts.cluster()))
                : Optional.empty();
        return signer(key).sign(group.group(), group.stamp(), right, scope, expires);
    }

    private TokenSigner signer(TokenKey key) {
        if (signer.isEmpty() || !signer.get().key().equals(key)) {
            signer = Optional.of(new TokenSigner(key));
        }
        return signer.get();
    }

    private Facts facts() {
        if (cached.keys().isEmpty() || context.passed(CACHED_FOR, cachedAt)) {
            try (MetadataView view = context.facts().get()) {
                cached = Facts.of(view);
            }
            cachedAt = context.nowMillis();
        }
        return cached;
    }

    private TokenKey signing(List<TokenKey> keys) {
        long oldEnough = context.epochMillis()
                - context.settings().keyActivation().toMillis()
                + context.settings().keyLife().toMillis();
        TokenKey chosen = keys.get(0);
        for (TokenKey key : keys) {
            boolean active = key.expiresAtMillis() <= oldEnough;
            boolean usable = chosen.expiresAtMillis() > context.epochMillis();
            if (active || !usable) {
                chosen = key;
            }
        }
        return chosen;
    }
}
