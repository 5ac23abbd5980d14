package io.ecfs.torture.fault.request;

import io.ecfs.message.namespace.NamespaceRequest.Balance.Wish;
import io.ecfs.torture.fault.Fault;
import io.ecfs.torture.fault.TortureSite;
import io.ecfs.wire.Await;
import java.io.IOException;
import java.util.SplittableRandom;

/** An operator has volumes filled more evenly than usual, which moves chunks. */
public record BalanceVolumes() implements Fault {
    private static final int THRESHOLD_PERMILLE = 1;

    @Override
    public String name() {
        return "balance";
    }

    @Override
    public Victim victim() {
        return Victim.NO_MACHINE;
    }

    @Override
    public Inflicted inflict(TortureSite site, String id, SplittableRandom random) throws IOException {
        Await.result(site.client().admin().balance(Wish.BEGIN, THRESHOLD_PERMILLE));
        return () -> Await.result(site.client().admin().balance(Wish.END, 0));
    }
}
