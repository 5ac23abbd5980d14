package io.ecfs.torture.fault.request;

import io.ecfs.message.AdminState;
import io.ecfs.message.DatanodeId;
import io.ecfs.torture.fault.Fault;
import io.ecfs.torture.fault.TortureSite;
import io.ecfs.wire.Await;
import java.io.IOException;
import java.util.Optional;
import java.util.SplittableRandom;

/**
 * An operator empties a datanode, and wants it back before long: chunks move away, and moves under way are given up.
 */
public record Drain() implements Fault {
    @Override
    public String name() {
        return "drain-datanode";
    }

    @Override
    public Victim victim() {
        return Victim.DATANODE;
    }

    @Override
    public Inflicted inflict(TortureSite site, String id, SplittableRandom random) throws IOException {
        set(site, id, AdminState.State.DECOMMISSIONING);
        return () -> set(site, id, AdminState.State.IN_SERVICE);
    }

    private static void set(TortureSite site, String id, AdminState.State duty) throws IOException {
        Await.result(site.client().admin().setDuty(new DatanodeId(id), duty, Optional.empty()));
    }
}
