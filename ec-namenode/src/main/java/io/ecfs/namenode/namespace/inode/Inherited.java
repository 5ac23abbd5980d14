package io.ecfs.namenode.namespace.inode;

import io.ecfs.layout.EncodingSide;
import io.ecfs.layout.Policy;
import java.util.Objects;
import java.util.Optional;

/**
 * Settings that hold for what is made or written in a directory: each is that of the nearest directory from it upwards
 * that has it.
 *
 * @param encoding empty: no directory sets one, as {@code packedUpTo}
 * @param packedUpTo length in bytes up to which files share groups, 0: none does
 */
public record Inherited(Policy policy, Optional<EncodingSide> encoding, Optional<Long> packedUpTo) {
    public Inherited {
        Objects.requireNonNull(policy, "policy");
        Objects.requireNonNull(encoding, "encoding");
        Objects.requireNonNull(packedUpTo, "packedUpTo");
    }

    /** Where no directory sets anything. */
    public static Inherited ofPolicy(Policy policy) {
        return new Inherited(policy, Optional.empty(), Optional.empty());
    }

    /** What holds in a directory to which these settings come from above; a file changes nothing. */
    public Inherited in(Inode inode) {
        if (!(inode.body() instanceof Inode.Directory directory)) {
            return this;
        }
        DirectorySettings own = directory.settings();
        return own.policy().isEmpty()
                        && own.encoding().isEmpty()
                        && own.packedUpTo().isEmpty()
                ? this
                : new Inherited(
                        own.policy().orElse(policy),
                        own.encoding().or(() -> encoding),
                        own.packedUpTo().or(() -> packedUpTo));
    }
}
