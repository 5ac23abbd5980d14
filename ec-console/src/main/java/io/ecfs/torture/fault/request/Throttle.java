package io.ecfs.torture.fault.request;

import io.ecfs.client.ClusterAdmin;
import io.ecfs.message.namespace.NamespaceRequest;
import io.ecfs.torture.fault.Fault;
import io.ecfs.torture.fault.TortureSite;
import io.ecfs.wire.Await;
import java.io.IOException;
import java.util.Optional;
import java.util.SplittableRandom;

/** An operator lets one repair run at a time, and takes that back. */
public record Throttle() implements Fault {
    @Override
    public String name() {
        return "throttle";
    }

    @Override
    public Victim victim() {
        return Victim.NO_MACHINE;
    }

    @Override
    public Inflicted inflict(TortureSite site, String id, SplittableRandom random) throws IOException {
        set(site, 1);
        return () -> set(site, NamespaceRequest.SetThrottles.AS_CONFIGURED);
    }

    private static void set(TortureSite site, long repairs) throws IOException {
        ClusterAdmin admin = site.client().admin();
        Await.result(admin.setThrottles(Optional.of(repairs), Optional.of(repairs), Optional.empty()));
    }
}
