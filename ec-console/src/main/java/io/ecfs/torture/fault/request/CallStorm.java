package io.ecfs.torture.fault.request;

import io.ecfs.message.FilePath;
import io.ecfs.torture.fault.Fault;
import io.ecfs.torture.fault.TortureSite;
import io.ecfs.wire.Await;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;

/**
 * Thousands of calls of another client whose answers the namenodes remember: what they remember of the others' must
 * stay.
 */
public record CallStorm() implements Fault {
    private static final int CALLS = 4000;
    private static final int AT_ONCE = 50;
    /** Directory that the calls are about. */
    public static final String PLACE = "/storm";

    @Override
    public String name() {
        return "call-storm";
    }

    @Override
    public Victim victim() {
        return Victim.NO_MACHINE;
    }

    @Override
    public Inflicted inflict(TortureSite site, String id, SplittableRandom random) throws IOException {
        List<CompletableFuture<Void>> under = new ArrayList<>();
        for (int call = 0; call < CALLS; call++) {
            under.add(site.client().mkdirs(new FilePath(PLACE), 0755, false));
            if (under.size() == AT_ONCE) {
                Await.result(CompletableFuture.allOf(under.toArray(CompletableFuture<?>[]::new)));
                under.clear();
            }
        }
        return () -> {};
    }
}
