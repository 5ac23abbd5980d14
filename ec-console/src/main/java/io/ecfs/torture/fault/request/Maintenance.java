package io.ecfs.torture.fault.request;

import io.ecfs.message.AdminState;
import io.ecfs.message.DatanodeId;
import io.ecfs.torture.fault.Fault;
import io.ecfs.torture.fault.TortureSite;
import io.ecfs.wire.Await;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.SplittableRandom;

/**
 * An operator lets a datanode rest, and it is killed meanwhile: nothing of it is rebuilt unless a group could lose no
 * other chunk.
 */
public record Maintenance() implements Fault {
    private static final Duration TIME = Duration.ofMinutes(5);

    @Override
    public String name() {
        return "maintenance";
    }

    @Override
    public Victim victim() {
        return Victim.DATANODE;
    }

    @Override
    public Inflicted inflict(TortureSite site, String id, SplittableRandom random) throws IOException {
        DatanodeId datanode = new DatanodeId(id);
        Await.result(site.client().admin().setDuty(datanode, AdminState.State.IN_MAINTENANCE, Optional.of(TIME)));
        site.kill(id);
        return () -> {
            site.start(id);
            Await.result(site.client().admin().setDuty(datanode, AdminState.State.IN_SERVICE, Optional.empty()));
        };
    }
}
