package io.ecfs.client;

import io.ecfs.layout.Policy;
import java.util.Objects;
import java.util.Optional;

/**
 * Options of a new file.
 *
 * @param mode permission bits
 * @param overwrite replace a file of that name; otherwise it is refused
 * @param createParents make the directories above
 * @param policy empty: the directory's
 * @param sync closing the file puts it on the datanodes' disks before it returns
 * @param packed whether the file may share a group with others while it is small; empty: as the client is configured
 *     ({@code pack.on}). What the directory forbids stays forbidden
 */
public record CreateOptions(
        int mode,
        boolean overwrite,
        boolean createParents,
        Optional<Policy> policy,
        boolean sync,
        Optional<Boolean> packed) {
    public CreateOptions {
        Objects.requireNonNull(policy, "policy");
        Objects.requireNonNull(packed, "packed");
    }

    /** Mode 0644, nothing is replaced, parents are made, the directory's policy, no sync, packed as configured. */
    public static CreateOptions defaults() {
        return new CreateOptions(0644, false, true, Optional.empty(), false, Optional.empty());
    }

    public CreateOptions withOverwrite(boolean value) {
        return new CreateOptions(mode, value, createParents, policy, sync, packed);
    }

    public CreateOptions withPolicy(Policy value) {
        return new CreateOptions(mode, overwrite, createParents, Optional.of(value), sync, packed);
    }

    public CreateOptions withSync(boolean value) {
        return new CreateOptions(mode, overwrite, createParents, policy, value, packed);
    }

    public CreateOptions packed(boolean value) {
        return new CreateOptions(mode, overwrite, createParents, policy, sync, Optional.of(value));
    }
}
