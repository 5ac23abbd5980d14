package io.ecfs.client.write.pack;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.ecfs.buffer.BufferPool;
import io.ecfs.client.base.PackConfig;
import io.ecfs.client.write.FileWriter;
import io.ecfs.client.write.Packing;
import io.ecfs.client.write.WriteServices;
import io.ecfs.env.Cancellable;
import io.ecfs.env.Clock;
import io.ecfs.env.Workers;
import io.ecfs.message.namespace.FileStatus;
import io.ecfs.message.namespace.NamespaceReply;
import io.ecfs.stripe.Stripe;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

/** The open packs of one client, one for each kind of files. Safe for use by several threads. */
public final class Packs implements Packing {
    private final WriteServices services;
    private final Workers workers;
    private final Clock clock;
    private final PackConfig config;
    private final BufferPool cells;
    private final Function<NamespaceReply.Created, FileWriter> writers;

    @GuardedBy("this")
    private final Map<PackKey, Pack> open = new LinkedHashMap<>(16, 0.75f, true);

    @GuardedBy("this")
    private Optional<Cancellable> timer = Optional.empty();

    /**
     * @param workers for what may wait for memory of packs
     * @param cells lends the cells of all packs; each has a budget of its own
     * @param writers makes the writer of an opened pack, whose lease is renewed
     */
    public Packs(
            WriteServices services,
            Workers workers,
            BufferPool cells,
            Clock clock,
            Function<NamespaceReply.Created, FileWriter> writers) {
        this.services = services;
        this.workers = workers;
        this.cells = cells;
        this.clock = clock;
        this.config = services.config().pack();
        this.writers = writers;
    }

    @Override
    public boolean takes(FileStatus file, long bytes) {
        long most = file.packedUpTo().orElse((long) config.most());
        return bytes <= Math.min(most, file.policy().stripeBytes()) && !file.listed();
    }

    @Override
    public CompletableFuture<Boolean> close(FileStatus file, Stripe stripe, boolean sync) {
        SmallFile small = new SmallFile(file, stripe, sync, services.pending().with(new CompletableFuture<>()));
        PackKey key = PackKey.of(file);
        for (Pack pack = pack(key); !pack.add(small); pack = pack(key)) {
            forget(key, pack);
        }
        return small.closed();
    }

    private Pack pack(PackKey key) {
        Optional<Pack> evicted = Optional.empty();
        Pack pack;
        synchronized (this) {
            pack = open.get(key);
            if (pack == null) {
                if (open.size() >= config.open()) {
                    Iterator<Pack> eldest = open.values().iterator();
                    evicted = Optional.of(eldest.next());
                    eldest.remove();
                }
                pack = new Pack(
                        services.forOne("stripes of a pack", key.policy(), cells),
                        workers,
                        writers,
                        key.policy(),
                        clock.nanos());
                open.put(key, pack);
                watch();
            }
        }
        evicted.ifPresent(Pack::seal);
        return pack;
    }

    /** Another thread may have a new one there by now. */
    private synchronized void forget(PackKey key, Pack ended) {
        open.remove(key, ended);
    }

    @GuardedBy("this")
    private void watch() {
        if (timer.isEmpty()) {
            timer = Optional.of(services.owner().schedule(config.idle().dividedBy(2), this::sealIdle));
        }
    }

    private void sealIdle() {
        List<Pack> idle = new ArrayList<>();
        synchronized (this) {
            timer = Optional.empty();
            long now = clock.nanos();
            open.values().removeIf(pack -> pack.idle(now, config.idle().toNanos()) && idle.add(pack));
            if (!open.isEmpty()) {
                watch();
            }
        }
        idle.forEach(Pack::seal);
    }

    /** Seals all packs; later files get new ones. Completes when that is done, well or not. */
    public CompletableFuture<Void> seal() {
        List<Pack> all;
        synchronized (this) {
            all = List.copyOf(open.values());
            open.clear();
            timer.ifPresent(Cancellable::cancel);
            timer = Optional.empty();
        }
        return CompletableFuture.allOf(all.stream().map(Pack::seal).toArray(CompletableFuture[]::new));
    }
}
