package io.ecfs.namenode.namespace.inode;

import io.ecfs.layout.EncodingSide;
import io.ecfs.layout.Policy;
import io.ecfs.layout.RingId;
import java.util.Objects;
import java.util.Optional;

/**
 * Settings that hold for what is made or written in a directory: each is that of the nearest directory from it upwards
 * that has it.
 *
 * @param ring on whose volumes the groups of new files lie; empty: on those of no ring
 * @param encoding empty: no directory sets one, as {@code packedUpTo}
 * @param packedUpTo length in bytes up to which files share groups, 0: none does
 */
public record Inherited(
        Policy policy, Optional<RingId> ring, Optional<EncodingSide> encoding, Optional<Long> packedUpTo) {
    public Inherited {
        Objects.requireNonNull(ring, "ring");
        Objects.requireNonNull(policy, "policy");
        Objects.requireNonNull(encoding, "encoding");
        Objects.requireNonNull(packedUpTo, "packedUpTo");
    }

    /** Where no directory sets anything. */
    public static Inherited ofPolicy(Policy policy) {
        return new Inherited(policy, Optional.empty(), Optional.empty(), Optional.empty());
    }

    /** What holds in a directory to which these settings come from above; a file changes nothing. */
    public Inherited in(Inode inode) {
        if (!(inode.body() instanceof Inode.Directory directory)) {
            return this;
        }
        DirectorySettings own = directory.settings();
        return own.policy().isEmpty()
                        && own.ring().isEmpty()
                        && own.encoding().isEmpty()
                        && own.packedUpTo().isEmpty()
                ? this
                : new Inherited(
                        own.policy().orElse(policy),
                        own.ring().or(() -> ring),
                        own.encoding().or(() -> encoding),
                        own.packedUpTo().or(() -> packedUpTo));
    }
}
