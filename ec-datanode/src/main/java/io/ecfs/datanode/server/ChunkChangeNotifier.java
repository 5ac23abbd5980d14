package io.ecfs.datanode.server;

import io.ecfs.error.EcfsException;
import io.ecfs.error.ErrorCode;
import io.ecfs.layout.ChunkId;
import io.ecfs.message.VolumeId;
import io.ecfs.message.chunk.ChunkChange;
import io.ecfs.message.chunk.ChunkState;
import io.ecfs.wire.Envelope;

/** Tells what became of chunks while requests were served. */
final class ChunkChangeNotifier {
    private final Volumes volumes;
    private final ChangeSink changes;

    ChunkChangeNotifier(Volumes volumes, ChangeSink changes) {
        this.volumes = volumes;
        this.changes = changes;
    }

    interface ChunkWork {
        Envelope run() throws EcfsException;
    }

    void tell(ChunkChange change) {
        changes.changed(change);
    }

    /** Tells the chunk as it is now, if it is there. */
    void present(VolumeId number, ServedVolume target, ChunkId chunk) {
        target.volume().find(chunk).ifPresent(record -> changes.changed(new ChunkChange.Present(number, record)));
    }

    /** The namenodes learn of damage when it is found, and not with the next full report. */
    Envelope tellingDamage(ServedVolume target, ChunkId chunk, ChunkWork work) throws EcfsException {
        try {
            return work.run();
        } catch (EcfsException e) {
            boolean corrupt = target.volume()
                    .find(chunk)
                    .filter(record -> record.state() == ChunkState.CORRUPT)
                    .isPresent();
            if (e.code() == ErrorCode.CHUNK_CORRUPT && corrupt) {
                present(numberOf(target), target, chunk);
            }
            throw e;
        }
    }

    VolumeId numberOf(ServedVolume target) throws EcfsException {
        return volumes.numberOf(target)
                .orElseThrow(() -> new EcfsException(
                        ErrorCode.SAFE_MODE,
                        "volume " + target.volume().uuid() + " has no number yet: the datanode has not registered"));
    }
}
