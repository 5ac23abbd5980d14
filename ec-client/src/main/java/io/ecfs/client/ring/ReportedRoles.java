package io.ecfs.client.ring;

import io.ecfs.message.VolumeId;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** The role that each volume last reported in a reply, and since when it has. Safe for use by several threads. */
final class ReportedRoles {
    private static final int MOST = 4096;

    /** @param since time of the first reply that reported so */
    private record Reported(boolean writing, long since) {}

    private final Map<VolumeId, Reported> last = new ConcurrentHashMap<>();

    void note(VolumeId volume, boolean writing, long now) {
        Reported before = last.get(volume);
        boolean differs = before == null ? writing : before.writing() != writing;
        if (differs && (before != null || last.size() < MOST)) {
            last.put(volume, new Reported(writing, now));
        }
    }

    /**
     * Returns whether a volume has reported the same role since a read of it began. If not, the read saw both roles,
     * and its time is that of neither.
     */
    boolean sameSince(VolumeId volume, long began) {
        Reported reported = last.get(volume);
        return reported == null || reported.since() - began <= 0;
    }
}
