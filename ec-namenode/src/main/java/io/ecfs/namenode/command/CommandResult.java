package io.ecfs.namenode.command;

import io.ecfs.error.ErrorCode;
import io.ecfs.layout.ChunkId;
import io.ecfs.layout.InodeId;
import io.ecfs.message.VolumeId;
import io.ecfs.message.namespace.FileStatus;
import io.ecfs.message.namespace.PatchGroup;
import io.ecfs.message.namespace.RefusedFile;
import io.ecfs.namenode.group.GroupFacts;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * The outcome of one {@link Command}, the same on every namenode. Addresses, tokens and liveness are not facts: the
 * namenode that answers the client adds them.
 */
public sealed interface CommandResult {

    /** Nothing was changed. The same command may succeed later. */
    record Refused(ErrorCode code, String message) implements CommandResult {
        public Refused {
            Objects.requireNonNull(code, "code");
            Objects.requireNonNull(message, "message");
        }
    }

    record Done() implements CommandResult {}

    record Status(FileStatus status) implements CommandResult {}

    record Created(FileStatus status, GroupFacts first) implements CommandResult {}

    /** @param refused files that were not committed; all others are closed */
    record Committed(List<RefusedFile> refused) implements CommandResult {
        public Committed {
            refused = List.copyOf(refused);
        }
    }

    /**
     * A file that is open for update.
     *
     * @param version of its layout
     * @param patches the oldest first
     */
    record Updating(FileStatus status, long version, List<PatchGroup> patches) implements CommandResult {
        public Updating {
            Objects.requireNonNull(status, "status");
            patches = List.copyOf(patches);
        }
    }

    record Allocated(GroupFacts group) implements CommandResult {}

    record ConversionBegun(long job) implements CommandResult {}

    /**
     * Answer to RecoverLease and {@link Command.BeginRecovery}; also to a Create without overwrite that met a file
     * whose holder's soft limit has passed: recovery has begun, and the client gets {@code LEASE_CONFLICT}.
     * @param closed the file is closed already
     */
    record Recovery(InodeId file, boolean closed) implements CommandResult {}

    record Formatted(String clusterId) implements CommandResult {}

    /** @param volumes the number of each offered volume, by its uuid */
    record Registered(Map<String, VolumeId> volumes) implements CommandResult {
        public Registered {
            volumes = Map.copyOf(volumes);
        }
    }

    /** @param chunk to rebuild, of the attempt's own generation */
    record RepairBegun(ChunkId chunk) implements CommandResult {
        public RepairBegun {
            Objects.requireNonNull(chunk, "chunk");
        }
    }

    /** @param pending deletions that wait for further steps */
    record Purged(long pending) implements CommandResult {}
}
