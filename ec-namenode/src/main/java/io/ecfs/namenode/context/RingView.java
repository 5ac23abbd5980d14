package io.ecfs.namenode.context;

import io.ecfs.namenode.report.RingReports;
import io.ecfs.namenode.state.MetadataView;
import java.util.List;
import java.util.function.Supplier;

/**
 * The rings by the facts of the log, cached until they change, and by the reports of datanodes. Owner thread: the
 * namenode's event thread.
 */
public final class RingView {
    private final Supplier<MetadataView> facts;
    private final RingReports reports = new RingReports();
    private RingPicture picture = new RingPicture(List.of(), List.of());
    private long changes;

    public RingView(Supplier<MetadataView> facts) {
        this.facts = facts;
    }

    /** Reports of datanodes about their volumes in rings. */
    public RingReports reports() {
        return reports;
    }

    /** The rings as the facts have them now. */
    public RingPicture now() {
        try (MetadataView view = facts.get()) {
            long now = view.ringChanges();
            if (now != changes) {
                picture = new RingPicture(view.rings(), view.ringMembers());
                changes = now;
            }
        }
        return picture;
    }
}
