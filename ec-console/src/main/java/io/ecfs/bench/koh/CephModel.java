package io.ecfs.bench.koh;

import io.ecfs.layout.Policy;
import java.util.HashSet;
import java.util.Set;

/**
 * Ceph 12.2.2 as Koh et al. describe it, applied to a stream of requests: bytes on disks and between OSDs. A policy of
 * one data chunk is replication; of any other only the numbers of chunks count, for a chunk is always
 * {@link CephRules#chunkBytes}.
 *
 * <ul>
 *   <li>A file is cut into objects (II-B), an object into stripes of k chunks; shard i of an object is on OSD i of its
 *       placement group. OSD 0 is the primary: all requests pass through it (II-A).
 *   <li>Coded read: the primary concatenates whole stripes from k OSDs (II-C). A stripe that the request before has
 *       read costs the disks nothing (V-B, sequential reads), the network as before.
 *   <li>Coded write: of each stripe the rest is read, and all n chunks are written (IV-A, V-A, VI-D).
 *   <li>First write of an object: all shards are filled (V-C).
 *   <li>Replicated read: units of a chunk at the primary. Replicated write: units to all copies; of a unit that is
 *       overwritten in part the rest is read, at each (V-B).
 * </ul>
 *
 * Not counted, for the paper gives no bytes: PrimaryLogPG and other journals, metadata, heads of messages. Page caches
 * of OSDs hold nothing but the stripe read last. Reading an object that was never written costs nothing but its
 * request.
 *
 * <p>Not for several threads.
 */
public final class CephModel {
    private record ObjectId(int file, long number) {}

    /** A stripe of an object, or a unit of a replica. */
    private record StripeId(ObjectId object, long number) {}

    private final CephRules rules;
    private final int data;
    private final int chunks;
    private final boolean pristine;
    private final Set<ObjectId> written = new HashSet<>();
    private StripeId lastRead = new StripeId(new ObjectId(-1, -1), -1);
    private CephTraffic traffic = CephTraffic.NONE;

    public CephModel(CephRules rules, Policy policy, ImageState state) {
        this.rules = rules;
        this.data = policy.dataChunks();
        this.chunks = policy.chunks();
        this.pristine = state == ImageState.PRISTINE;
    }

    public CephTraffic traffic() {
        return traffic;
    }

    /** Counts a request; metadata are left out, as the paper leaves them out. */
    public void apply(Request request) {
        if (request.kind() == IoKind.METADATA) {
            return;
        }
        traffic = traffic.plus(new CephTraffic(1, request.bytes(), 0, 0, 0, 0, 0));
        long position = request.position();
        long end = Math.addExact(position, request.bytes());
        while (position < end) {
            long number = position / rules.objectBytes();
            long begin = number * rules.objectBytes();
            long to = Math.min(end, begin + rules.objectBytes());
            part(request.kind(), new ObjectId(request.file(), number), position - begin, to - begin);
            position = to;
        }
    }

    /** The part {@code [from, to)} of an object. */
    private void part(IoKind kind, ObjectId object, long from, long to) {
        boolean fresh = pristine && !written.contains(object);
        if (kind == IoKind.READ) {
            if (!fresh) {
                traffic = traffic.plus(read(object, from, to));
            }
            return;
        }
        if (fresh && isCoded()) {
            traffic = traffic.plus(initialisation());
        }
        if (pristine) {
            written.add(object);
        }
        traffic = traffic.plus(isCoded() ? stripes(from, to) : units(from, to));
    }

    private boolean isCoded() {
        return data > 1;
    }

    private CephTraffic read(ObjectId object, long from, long to) {
        long stripeBytes = stripeBytes();
        long disk = 0;
        long moved = 0;
        int holders = 0;
        for (long stripe = from / stripeBytes; stripe * stripeBytes < to; stripe++) {
            StripeId id = new StripeId(object, stripe);
            long bytes = dataBytes(stripe);
            if (!id.equals(lastRead)) {
                disk += bytes;
                holders = Math.max(holders, (int) (bytes / rules.chunkBytes()));
            }
            moved += bytes - rules.chunkBytes();
            lastRead = id;
        }
        return new CephTraffic(0, 0, disk, 0, holders, 0, moved);
    }

    /** Zeros to every shard, and with {@link CephRules#readsFresh} all data back to the primary. */
    private CephTraffic initialisation() {
        long shard = Math.multiplyExact(stripesOfObject(), (long) rules.chunkBytes());
        CephTraffic filled = new CephTraffic(0, 0, 0, chunks * shard, 0, chunks, (chunks - 1) * shard);
        return rules.readsFresh()
                ? filled.plus(new CephTraffic(0, 0, rules.objectBytes(), 0, data, 0, rules.objectBytes() - shard))
                : filled;
    }

    /** Read-modify-write of the stripes that {@code [from, to)} touches. */
    private CephTraffic stripes(long from, long to) {
        long stripeBytes = stripeBytes();
        long first = from / stripeBytes;
        long count = (to - 1) / stripeBytes - first + 1;
        long bytes = count * rules.chunkBytes();
        CephTraffic sum = new CephTraffic(0, 0, 0, chunks * bytes, 0, chunks, (chunks - 1) * bytes);
        sum = sum.plus(rest(first, from, to));
        return count == 1 ? sum : sum.plus(rest(first + count - 1, from, to));
    }

    /** What the primary must read of a stripe to encode it: all that {@code [from, to)} does not overwrite. */
    private CephTraffic rest(long stripe, long from, long to) {
        long begin = stripe * stripeBytes();
        long disk = 0;
        long moved = 0;
        int holders = 0;
        int present = (int) (dataBytes(stripe) / rules.chunkBytes());
        for (int chunk = 0; chunk < present; chunk++) {
            long at = begin + (long) chunk * rules.chunkBytes();
            long rest = rules.chunkBytes() - overlap(at, at + rules.chunkBytes(), from, to);
            disk += rest;
            moved += chunk == 0 ? 0 : rest;
            holders += rest > 0 ? 1 : 0;
        }
        return new CephTraffic(0, 0, disk, 0, holders, 0, moved);
    }

    /** A replicated write. */
    private CephTraffic units(long from, long to) {
        long unit = rules.chunkBytes();
        long bytes = ((to - 1) / unit - from / unit + 1) * unit;
        long rest = bytes - (to - from);
        return new CephTraffic(
                0, 0, chunks * rest, chunks * bytes, rest > 0 ? chunks : 0, chunks, (chunks - 1) * (to - from));
    }

    private long stripeBytes() {
        return (long) data * rules.chunkBytes();
    }

    private long stripesOfObject() {
        return (rules.objectBytes() + stripeBytes() - 1) / stripeBytes();
    }

    /** Of an object's last stripe, what the object has; a multiple of chunks. */
    private long dataBytes(long stripe) {
        return Math.min(stripeBytes(), rules.objectBytes() - stripe * stripeBytes());
    }

    private static long overlap(long from, long to, long otherFrom, long otherTo) {
        return Math.max(0, Math.min(to, otherTo) - Math.max(from, otherFrom));
    }
}
