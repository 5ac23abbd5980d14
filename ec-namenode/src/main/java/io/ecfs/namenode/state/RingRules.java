package io.ecfs.namenode.state;

import io.ecfs.error.EcfsException;
import io.ecfs.error.ErrorCode;
import io.ecfs.layout.Ring;
import io.ecfs.layout.RingId;
import io.ecfs.message.VolumeId;
import io.ecfs.message.namespace.NamespaceRequest;
import io.ecfs.message.namespace.NamespaceRequest.DropRing.Remaining;
import io.ecfs.message.ring.RingVolume.Duty;
import io.ecfs.namenode.cluster.Counter;
import io.ecfs.namenode.cluster.Datanodes;
import io.ecfs.namenode.cluster.RingFacts;
import io.ecfs.namenode.cluster.RingMember;
import io.ecfs.namenode.cluster.Rings;
import io.ecfs.namenode.command.Command;
import io.ecfs.namenode.command.CommandResult;
import io.ecfs.namenode.group.Groups;
import io.ecfs.namenode.history.RingChange;
import io.ecfs.namenode.store.KeyValueStore.Transaction;
import io.ecfs.namenode.store.KeyValueStore.View;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Rules of rings, changed by operators and by the leader. Each change is a new epoch of the ring, so that a datanode
 * never follows an older clock. A refusal is one line with the nearest value that would be accepted.
 */
final class RingRules {
    /** Most chunks of a volume to count for a refusal. */
    private static final int MOST_COUNTED = 1000;

    private RingRules() {}

    static CommandResult create(ClusterCalls.Call call, NamespaceRequest.CreateRing wanted) throws EcfsException {
        Transaction transaction = call.transaction();
        if (Rings.find(transaction, wanted.name()).isPresent()) {
            throw new EcfsException(
                    ErrorCode.ALREADY_EXISTS,
                    "there is a ring " + wanted.name() + " already: choose another name, or 'ecfs ring add "
                            + wanted.name() + "' volumes to it");
        }
        RingLimits.checkPeriod(wanted.periodMillis());
        if (wanted.volumes().size() < wanted.colours()) {
            int volumes = wanted.volumes().size();
            throw refused("a ring of " + wanted.colours() + " colours needs as many volumes, got " + volumes
                    + (volumes < 2 ? ": name at least two" : ": nearest is --colours " + volumes));
        }
        Ring shape = RingLimits.shape(wanted.colours(), wanted.writers().orElse(Math.max(1, wanted.colours() / 2)));
        RingId ring = new RingId(Math.toIntExact(Counter.LAST_RING.next(transaction)));
        RingFacts facts = new RingFacts(
                ring, wanted.name(), 1, shape, wanted.writers().isEmpty(), false, false, wanted.periodMillis());
        Rings.put(transaction, facts);
        checkDistinct(wanted.volumes(), wanted.spares(), List.of());
        for (int i = 0; i < wanted.volumes().size(); i++) {
            add(transaction, facts, RingMember.active(wanted.volumes().get(i), ring, i % wanted.colours()));
        }
        for (VolumeId spare : wanted.spares()) {
            add(transaction, facts, RingMember.spare(spare, ring));
        }
        record(call, RingChange.making(), facts);
        return new CommandResult.Done();
    }

    static CommandResult set(ClusterCalls.Call call, NamespaceRequest.SetRing wanted) throws EcfsException {
        Transaction transaction = call.transaction();
        RingFacts before = Rings.named(transaction, wanted.name());
        RingFacts now = before;
        if (wanted.writers().isPresent()) {
            int writers = wanted.writers().get();
            now = now.adaptive(writers == NamespaceRequest.SetRing.AUTO);
            if (writers != NamespaceRequest.SetRing.AUTO) {
                RingLimits.shape(now.shape().colours(), writers);
                RingLimits.checkWriters(transaction, now, writers);
                now = now.writing(writers);
            }
        }
        if (wanted.periodMillis().isPresent()) {
            RingLimits.checkPeriod(wanted.periodMillis().get());
            now = now.turningEvery(wanted.periodMillis().get());
        }
        if (wanted.paused().isPresent()) {
            now = now.paused(wanted.paused().get());
        }
        if (!now.equals(before)) {
            RingChange change = RingChange.of(transaction, before);
            RingFacts next = now.next();
            Rings.put(transaction, next);
            record(call, change, next);
        }
        return new CommandResult.Done();
    }

    static CommandResult assign(ClusterCalls.Call call, NamespaceRequest.AssignVolumes wanted) throws EcfsException {
        Transaction transaction = call.transaction();
        RingFacts before = Rings.named(transaction, wanted.name());
        if (before.dropping()) {
            throw refused("ring " + before.name() + " is being dropped: its volumes change no more, name another ring");
        }
        checkDistinct(wanted.add(), wanted.spares(), wanted.remove());
        RingChange change = RingChange.of(transaction, before);
        RingFacts next = before.next();
        Rings.put(transaction, next);
        for (VolumeId volume : wanted.add()) {
            add(transaction, next, RingMember.active(volume, next.ring(), smallestColour(transaction, next)));
        }
        for (VolumeId spare : wanted.spares()) {
            add(transaction, next, RingMember.spare(spare, next.ring()));
        }
        for (VolumeId volume : wanted.remove()) {
            remove(transaction, next, volume);
        }
        checkColours(transaction, next);
        record(call, change, next);
        return new CommandResult.Done();
    }

    /** The colour with the fewest volumes that take chunks, so that classes differ by one at most. */
    private static int smallestColour(View view, RingFacts ring) {
        Map<Integer, Long> sizes = sizes(view, ring);
        return IntStream.range(0, ring.shape().colours())
                .boxed()
                .min(Comparator.comparingLong(colour -> sizes.getOrDefault(colour, 0L)))
                .orElseThrow();
    }

    private static Map<Integer, Long> sizes(View view, RingFacts ring) {
        return Rings.members(view, ring.ring()).stream()
                .filter(member -> member.is(Duty.ACTIVE))
                .collect(Collectors.groupingBy(member -> member.colour().orElseThrow(), Collectors.counting()));
    }

    /** The last volume of a colour that leaves gives it to a spare. */
    private static void remove(Transaction transaction, RingFacts ring, VolumeId volume) throws EcfsException {
        RingMember member = Rings.member(transaction, volume)
                .filter(found -> found.ring().equals(ring.ring()))
                .orElseThrow(() -> refused("ring " + ring.name() + " has no volume " + volume + ": 'ecfs ring status "
                        + ring.name() + "' lists those that it has"));
        if (member.is(Duty.ACTIVE)
                && sizes(transaction, ring).get(member.colour().orElseThrow()) == 1) {
            Optional<RingMember> spare = Rings.members(transaction, ring.ring()).stream()
                    .filter(other -> other.is(Duty.SPARE))
                    .findFirst();
            spare.ifPresent(found -> Rings.put(
                    transaction,
                    RingMember.active(
                            found.volume(), ring.ring(), member.colour().orElseThrow())));
        }
        if (member.is(Duty.SPARE) || chunks(transaction, volume) == 0) {
            Rings.delete(transaction, volume);
        } else {
            Rings.put(transaction, member.leaving());
        }
    }

    private static void checkColours(View view, RingFacts ring) throws EcfsException {
        Map<Integer, Long> sizes = sizes(view, ring);
        for (int colour = 0; colour < ring.shape().colours(); colour++) {
            if (!sizes.containsKey(colour)) {
                throw refused("ring " + ring.name() + " would have no volume of colour " + colour
                        + ": name another one in its place, --instead VOLUME");
            }
        }
    }

    static CommandResult drop(ClusterCalls.Call call, NamespaceRequest.DropRing wanted) throws EcfsException {
        Transaction transaction = call.transaction();
        RingFacts ring = Rings.named(transaction, wanted.name());
        long directories = Rings.directories(transaction, ring.ring()).values().stream()
                .mapToLong(Long::longValue)
                .sum();
        if (directories > 0) {
            throw refused("ring " + ring.name() + " is named by "
                    + (directories == 1 ? "a directory" : directories + " directories")
                    + ": 'ecfs ec set POLICY DIR --ring none' ends that");
        }
        long groups = groups(transaction, ring);
        if (groups > 0 && wanted.remaining() == Remaining.REFUSE) {
            throw refused("ring " + ring.name() + " has " + (groups == 1 ? "a group" : groups + " groups")
                    + ": 'ecfs ring drop " + ring.name() + " --drain' moves them to volumes of no ring first,"
                    + " --in-place leaves them where they are");
        }
        RingChange change = RingChange.of(transaction, ring);
        if (wanted.remaining() == Remaining.KEEP || (groups == 0 && empty(transaction, ring))) {
            delete(transaction, ring);
            record(call, change, ring.next());
        } else if (!ring.dropping()) {
            RingFacts dropping = ring.dropped().next();
            Rings.put(transaction, dropping);
            record(call, change, dropping);
        }
        return new CommandResult.Done();
    }

    private static void delete(Transaction transaction, RingFacts ring) {
        Rings.members(transaction, ring.ring()).forEach(member -> Rings.delete(transaction, member.volume()));
        Rings.delete(transaction, ring);
    }

    private static boolean empty(View view, RingFacts ring) {
        return Rings.members(view, ring.ring()).stream().allMatch(member -> chunks(view, member.volume()) == 0);
    }

    static CommandResult adapt(Transaction transaction, Command.AdaptRing command) throws EcfsException {
        RingFacts before = Rings.find(transaction, command.ring())
                .filter(ring -> ring.epoch() == command.epoch())
                .orElseThrow(() -> refused(command.ring() + " is not in epoch " + command.epoch() + " any more"));
        RingChange change = RingChange.of(transaction, before);
        RingFacts now = before;
        if (command.writers().isPresent()) {
            RingLimits.checkWriters(transaction, before, command.writers().get());
            now = now.writing(command.writers().get());
        }
        now = now.next();
        Rings.put(transaction, now);
        for (Command.AdaptRing.Succession succession : command.successions()) {
            succeed(transaction, now, succession);
        }
        for (VolumeId volume : command.emptied()) {
            boolean leaves = member(transaction, now, volume, Duty.LEAVING).isPresent();
            if (!leaves || chunks(transaction, volume) > 0) {
                throw refused(volume + " does not leave " + now.name() + ", or has chunks left");
            }
            Rings.delete(transaction, volume);
        }
        if (now.dropping() && groups(transaction, now) == 0 && empty(transaction, now)) {
            delete(transaction, now);
        }
        change.record(transaction, command.nowMillis(), now, command.reason());
        return new CommandResult.Done();
    }

    private static void succeed(Transaction transaction, RingFacts ring, Command.AdaptRing.Succession succession)
            throws EcfsException {
        Optional<RingMember> failed = member(transaction, ring, succession.failed(), Duty.ACTIVE);
        Optional<RingMember> spare = member(transaction, ring, succession.spare(), Duty.SPARE);
        if (failed.isEmpty() || spare.isEmpty()) {
            throw refused(succession.spare() + " is no spare of " + ring.name() + ", or " + succession.failed()
                    + " has no colour in it");
        }
        int colour = failed.get().colour().orElseThrow();
        Rings.put(transaction, RingMember.active(succession.spare(), ring.ring(), colour));
        Rings.put(transaction, failed.get().leaving());
    }

    private static Optional<RingMember> member(View view, RingFacts ring, VolumeId volume, Duty duty) {
        return Rings.member(view, volume).filter(member -> member.ring().equals(ring.ring()) && member.is(duty));
    }

    /** A new volume of a ring has no chunks: those of other groups would be read while it writes. */
    private static void add(Transaction transaction, RingFacts ring, RingMember member) throws EcfsException {
        VolumeId volume = member.volume();
        if (Datanodes.ownerOf(transaction, volume).isEmpty()) {
            throw new EcfsException(
                    ErrorCode.NOT_FOUND, "volume " + volume + " never registered: start its datanode first");
        }
        Optional<RingMember> present = Rings.member(transaction, volume);
        if (present.isPresent()) {
            String name = Rings.find(transaction, present.get().ring())
                    .map(RingFacts::name)
                    .orElseThrow();
            throw refused("volume " + volume + " is in ring " + name + " already"
                    + (name.equals(ring.name()) ? "" : ": 'ecfs ring remove " + name + "' takes it out"));
        }
        int chunks = chunks(transaction, volume);
        if (chunks > 0) {
            throw refused("volume " + volume + " holds " + (chunks == MOST_COUNTED ? "at least " : "") + chunks
                    + " chunks of groups outside ring " + ring.name() + ": take an empty volume");
        }
        Rings.put(transaction, member);
    }

    private static int chunks(View view, VolumeId volume) {
        return Groups.onVolume(view, volume, Optional.empty(), MOST_COUNTED).size();
    }

    private static long groups(View view, RingFacts ring) {
        return Rings.groups(view, ring).stream().mapToLong(Long::longValue).sum();
    }

    private static void checkDistinct(List<VolumeId> add, List<VolumeId> spares, List<VolumeId> remove)
            throws EcfsException {
        Set<VolumeId> named = new LinkedHashSet<>();
        for (List<VolumeId> part : List.of(add, spares, remove)) {
            for (VolumeId volume : part) {
                if (!named.add(volume)) {
                    throw refused("volume " + volume + " is named twice: name it once");
                }
            }
        }
    }

    private static void record(ClusterCalls.Call call, RingChange change, RingFacts now) {
        change.record(
                call.transaction(),
                call.command().nowMillis(),
                now,
                call.command().caller().who());
    }

    static EcfsException refused(String message) {
        return new EcfsException(ErrorCode.INVALID_ARGUMENT, message);
    }
}
