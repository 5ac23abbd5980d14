package io.ecfs.namenode.stats;

import io.ecfs.env.Randomness;
import io.ecfs.layout.GroupId;
import io.ecfs.message.namespace.AccessSet;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.TreeMap;

/**
 * The last sampled requests of clients, and what they say of groups: how often one is read, and lambda_b,i = P(b and i
 * together | b) (ec-store paper, IV-C). A ring of requests and, for each group, its positions in the ring:
 *
 * <pre>
 *   ring      .. [7: a b c] [8: b d] [9: a b] ..      leaves at 7, enters behind 9
 *   postings  a: 7 9    b: 7 8 9    c: 7    d: 8
 * </pre>
 *
 * so a request enters and leaves in time proportional to its own size, the counts are exact, and the memory is that of
 * the requests: at most {@code requests x AccessSet.MAX_GROUPS} entries. Partners of a group are counted when they are
 * asked for.
 */
public final class AccessWindow {
    /** Requests in the window unless said otherwise (ec-store paper). */
    public static final int REQUESTS = 5_000;

    /** Numbers that any group in the window has room for. */
    private static final int FEW = 4;

    /** Most requests of a group that are scanned for its partners: of a very hot one the latest. */
    static final int MOST_SCANNED = 500;

    /** A pointer. */
    private static final long RING_BYTES = 4;
    /** A {@link Seen} with its list. */
    private static final long REQUEST_BYTES = 72;
    /** A group's id in a request with the pointer to it. */
    private static final long ENTRY_BYTES = 28;
    /** A node of the map, its place in the table, and {@link Postings} without the numbers. */
    private static final long GROUP_BYTES = 104;

    private final Seen[] ring;
    private final Map<GroupId, Postings> postings = new HashMap<>();
    private long next;
    private long oldest;
    private long weight;
    private long entries;
    /** Places for numbers in all postings. */
    private long room;

    /**
     * @param reader user of the client; empty: not known
     * @param groups different ones
     */
    private record Seen(long atMillis, String reader, List<GroupId> groups, int weight) {}

    /**
     * @param likelihood in (0, 1]
     * @param samples requests of the window on which the likelihood rests
     */
    public record Partner(GroupId group, double likelihood, int samples) {}

    /** Requests with both groups: how many, and how many they stand for. */
    private static final class Common {
        private int samples;
        private long weight;

        void add(int more) {
            samples++;
            weight += more;
        }
    }

    /** Numbers of requests, ascending; taken off at the front. The array is at most four times as long as they are. */
    private static final class Postings {
        private long[] numbers = new long[FEW];
        private int from;
        private int to;
        private long weight;

        int size() {
            return to - from;
        }

        void add(long number, int more) {
            if (to == numbers.length) {
                moveTo(size() * 2 > numbers.length ? new long[numbers.length * 2] : numbers);
            }
            numbers[to++] = number;
            weight += more;
        }

        void removeFirst(int less) {
            from++;
            weight -= less;
            if (numbers.length > FEW && size() * 4 <= numbers.length) {
                moveTo(new long[numbers.length / 2]);
            }
        }

        private void moveTo(long[] room) {
            System.arraycopy(numbers, from, room, 0, size());
            numbers = room;
            to -= from;
            from = 0;
        }
    }

    public AccessWindow(int requests) {
        if (requests < 1) {
            throw new IllegalArgumentException("a window has at least one request, got " + requests);
        }
        this.ring = new Seen[requests];
    }

    /** Adds a request of no known reader. */
    public void add(AccessSet set, long nowMillis) {
        add("", set, nowMillis);
    }

    /** Adds a request of a user; when the window is full the oldest one leaves. */
    public void add(String reader, AccessSet set, long nowMillis) {
        List<GroupId> groups = set.groups().stream().distinct().toList();
        if (next - oldest == ring.length) {
            removeOldest();
        }
        entries += groups.size();
        ring[slot(next)] = new Seen(nowMillis, reader, groups, set.weight());
        for (GroupId group : groups) {
            Postings of = postings.computeIfAbsent(group, g -> new Postings());
            int before = of.size() == 0 ? 0 : of.numbers.length;
            of.add(next, set.weight());
            room += of.numbers.length - before;
        }
        weight += set.weight();
        next++;
    }

    /** Drops requests from before this moment. */
    public void forgetBefore(long millis) {
        while (oldest < next && ring[slot(oldest)].atMillis() < millis) {
            removeOldest();
        }
    }

    private void removeOldest() {
        int slot = slot(oldest);
        Seen seen = ring[slot];
        ring[slot] = null;
        oldest++;
        weight -= seen.weight();
        entries -= seen.groups().size();
        for (GroupId group : seen.groups()) {
            Postings of = postings.get(group);
            int before = of.numbers.length;
            of.removeFirst(seen.weight());
            if (of.size() == 0) {
                postings.remove(group);
                room -= before;
            } else {
                room += of.numbers.length - before;
            }
        }
    }

    private int slot(long number) {
        return (int) (number % ring.length);
    }

    /** Number of requests in the window. */
    public int requests() {
        return (int) (next - oldest);
    }

    /** Number of distinct groups. */
    public int groups() {
        return postings.size();
    }

    /** Numbers of requests that postings have room for: at most four times as many as there are. */
    long room() {
        return room;
    }

    /** Number of entries of all requests. */
    long entries() {
        return entries;
    }

    /** Approximate memory, as objects of a 64-bit machine with short pointers take it. */
    public long bytes() {
        return (long) ring.length * RING_BYTES
                + requests() * REQUEST_BYTES
                + entries * ENTRY_BYTES
                + groups() * GROUP_BYTES
                + room * Long.BYTES;
    }

    /** Time from the oldest request to {@code nowMillis}; 0 when there is none. */
    public long spanMillis(long nowMillis) {
        return oldest == next ? 0 : Math.max(1, nowMillis - ring[slot(oldest)].atMillis());
    }

    /** Time of the last request; {@link Long#MIN_VALUE}: never, or it left. */
    public long lastMillis() {
        return oldest == next ? Long.MIN_VALUE : ring[slot(next - 1)].atMillis();
    }

    /** Estimated number of requests of clients that read the group in the time of the window. */
    public long frequency(GroupId group) {
        Postings of = postings.get(group);
        return of == null ? 0 : of.weight;
    }

    /** Number of requests of the window with the group, on which an estimate about it rests. */
    public int samples(GroupId group) {
        Postings of = postings.get(group);
        return of == null ? 0 : of.size();
    }

    /** Number of requests of clients that the window stands for. */
    public long weight() {
        return weight;
    }

    /**
     * Groups that are read together with one, likeliest first; of a group in very many requests only the latest count.
     */
    public List<Partner> partners(GroupId group, int limit) {
        Postings of = postings.get(group);
        if (of == null) {
            return List.of();
        }
        Map<GroupId, Common> together = new HashMap<>();
        double all = 0;
        for (int i = Math.max(of.from, of.to - MOST_SCANNED); i < of.to; i++) {
            Seen seen = ring[slot(of.numbers[i])];
            all += seen.weight();
            for (GroupId other : seen.groups()) {
                if (!other.equals(group)) {
                    together.computeIfAbsent(other, o -> new Common()).add(seen.weight());
                }
            }
        }
        double total = all;
        return together.entrySet().stream()
                .map(entry -> new Partner(entry.getKey(), entry.getValue().weight / total, entry.getValue().samples))
                .sorted(Comparator.comparingDouble((Partner p) -> -p.likelihood())
                        .thenComparing(Partner::group))
                .limit(limit)
                .toList();
    }

    /** The groups that most requests read, in that order. */
    public List<GroupId> readMost(int limit) {
        Comparator<Map.Entry<GroupId, Postings>> order = Comparator.comparingLong(entry -> entry.getValue().weight);
        Comparator<Map.Entry<GroupId, Postings>> least = order.thenComparing(
                Map.Entry.<GroupId, Postings>comparingByKey().reversed());
        PriorityQueue<Map.Entry<GroupId, Postings>> most = new PriorityQueue<>(least);
        for (Map.Entry<GroupId, Postings> entry : postings.entrySet()) {
            most.add(entry);
            if (most.size() > limit) {
                most.remove();
            }
        }
        return most.stream().sorted(least.reversed()).map(Map.Entry::getKey).toList();
    }

    /**
     * Users that read a group, with their shares of its requests; of a group in very many requests only the latest
     * count.
     */
    public Map<String, Double> readers(GroupId group) {
        Postings of = postings.get(group);
        Map<String, Double> shares = new TreeMap<>();
        if (of == null) {
            return shares;
        }
        double all = 0;
        for (int i = Math.max(of.from, of.to - MOST_SCANNED); i < of.to; i++) {
            Seen seen = ring[slot(of.numbers[i])];
            all += seen.weight();
            shares.merge(seen.reader(), (double) seen.weight(), Double::sum);
        }
        double total = all;
        shares.replaceAll((reader, weight) -> weight / total);
        return shares;
    }

    /**
     * Draws groups that were read, in proportion to the requests they are in, recent requests more than old ones. Each
     * at most once.
     * @param draws at most so many groups
     */
    public List<GroupId> draw(int draws, Randomness random) {
        List<GroupId> drawn = new ArrayList<>();
        for (int i = 0; i < 4 * draws && drawn.size() < draws && requests() > 0; i++) {
            double recent = 1 - Math.pow((random.nextLong() >>> 11) * 0x1.0p-53, 2);
            long number = oldest + Math.min(requests() - 1, (long) (requests() * recent));
            List<GroupId> groups = ring[slot(number)].groups();
            GroupId group = groups.get(random.nextInt(groups.size()));
            if (!drawn.contains(group)) {
                drawn.add(group);
            }
        }
        return drawn;
    }
}
