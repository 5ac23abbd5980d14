package io.ecfs.fault.inject;

import io.ecfs.fault.profile.FaultStep;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Faults of the links of datanodes, by proxies. */
final class LinkInjector implements Injector {
    private final LabSite site;

    LinkInjector(LabSite site) {
        this.site = site;
    }

    @Override
    public Undo inject(FaultStep step, Hurt hurt) throws IOException {
        List<DatanodeLinks> links = new ArrayList<>();
        for (String datanode : hurt.daemons()) {
            links.add(site.links(datanode));
        }
        for (DatanodeLinks its : links) {
            switch (step.fault()) {
                case PARTITION -> its.cut(true, true);
                case PARTITION_IN -> its.cut(true, false);
                case PARTITION_OUT -> its.cut(false, true);
                case SLOW_LINK -> its.slow(step.delay(), 0);
                case LOSSY_LINK -> its.slow(Duration.ZERO, step.loss());
                default -> throw new IllegalArgumentException(step.fault() + " is no fault of a link");
            }
        }
        return () -> links.forEach(DatanodeLinks::heal);
    }
}
