package io.ecfs.namenode.ring;

import io.ecfs.error.EcfsException;
import io.ecfs.error.ErrorCode;
import io.ecfs.message.VolumeId;
import io.ecfs.namenode.cluster.DatanodeFacts;
import io.ecfs.namenode.context.ClusterView;
import java.util.List;
import java.util.Optional;

/**
 * Journals of volumes that are to be in a ring: one without writes at every position. Which volumes have journals is
 * known from the registrations of their datanodes and not from the log. Owner thread: the namenode's event thread.
 */
public final class JournalCheck {
    private static final String SETTINGS = "store.journal.directory, store.journal.bytes and store.journal.direct";

    private final ClusterView cluster;

    public JournalCheck(ClusterView cluster) {
        this.cluster = cluster;
    }

    /** @throws EcfsException {@code INVALID_ARGUMENT} in one line, naming the first volume without a journal */
    public void require(List<VolumeId> volumes) throws EcfsException {
        for (VolumeId volume : volumes) {
            Optional<DatanodeFacts> owner = cluster.topology().owner(volume);
            Optional<Boolean> journal = cluster.rings().reports().journal(volume);
            if (owner.isPresent() && !journal.equals(Optional.of(true))) {
                throw new EcfsException(ErrorCode.INVALID_ARGUMENT, refusal(volume, owner.get(), journal.isPresent()));
            }
        }
    }

    private String refusal(VolumeId volume, DatanodeFacts owner, boolean registered) {
        String name = "volume " + volume + ", "
                + cluster.rings()
                        .reports()
                        .directory(volume)
                        .map(directory -> directory + " of ")
                        .orElse("of ")
                + "datanode " + owner.datanode() + ", ";
        return registered
                ? name + "has no journal, which a ring needs: set " + SETTINGS + " of that datanode, and start it again"
                : name
                        + "is not known to have a journal, since the datanode has not registered at the leader: start"
                        + " it, and repeat the command";
    }
}
