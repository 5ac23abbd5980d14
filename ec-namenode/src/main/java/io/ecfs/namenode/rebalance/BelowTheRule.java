package io.ecfs.namenode.rebalance;

import io.ecfs.message.VolumeId;
import io.ecfs.message.ring.RingVolume.Duty;
import io.ecfs.namenode.cluster.RingFacts;
import io.ecfs.namenode.cluster.RingMember;
import io.ecfs.namenode.context.NamenodeContext;
import io.ecfs.namenode.context.RingPicture;
import io.ecfs.namenode.group.ChunkOnVolume;
import io.ecfs.namenode.state.MetadataView;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;

/**
 * Walks over the chunks of rings that have groups which tolerate fewer writers than they are to: they were rebuilt
 * where there was no volume by the rule, or while the ring had fewer writers. A page of one volume at a time. Owner
 * thread: the namenode's event thread.
 */
final class BelowTheRule {
    private static final int PAGE = 500;

    /** Pause after a walk over all volumes in which nothing could be moved. */
    private static final Duration REST = Duration.ofMinutes(1);

    private final NamenodeContext context;
    private Optional<VolumeId> walking = Optional.empty();
    private Optional<VolumeId> following = Optional.empty();
    private Optional<ChunkOnVolume> last = Optional.empty();
    private Optional<ChunkOnVolume> end = Optional.empty();
    private int fruitless;
    private Optional<Long> restsSince = Optional.empty();

    BelowTheRule(NamenodeContext context) {
        this.context = context;
    }

    /** The chunks that are next; none while there is no such group, or nothing could be moved lately. */
    List<ChunkOnVolume> next(MetadataView view, RingPicture rings) {
        TreeSet<VolumeId> volumes = new TreeSet<>();
        rings.rings().stream()
                .filter(ring -> !ring.dropping() && hasGroups(view, rings, ring))
                .flatMap(ring -> rings.members(ring.ring()).stream())
                .filter(member -> member.is(Duty.ACTIVE))
                .map(RingMember::volume)
                .forEach(volumes::add);
        if (volumes.isEmpty()) {
            fruitless = 0;
            restsSince = Optional.empty();
            return List.of();
        }
        if (restsSince.filter(since -> !context.passed(REST, since)).isPresent()) {
            return List.of();
        }
        if (fruitless > volumes.size()) {
            fruitless = 0;
            restsSince = Optional.of(context.nowMillis());
            return List.of();
        }
        VolumeId volume = walking.filter(volumes::contains).orElseGet(volumes::first);
        List<ChunkOnVolume> page =
                view.chunksOn(volume, last.filter(at -> at.volume().equals(volume)), PAGE);
        walking = Optional.of(volume);
        following = Optional.ofNullable(volumes.higher(volume));
        end = page.size() < PAGE ? page.stream().reduce((one, other) -> other) : Optional.empty();
        if (page.isEmpty()) {
            leaveVolume();
        }
        return page;
    }

    /** Records that a chunk was looked at: the walk goes on behind it. */
    void advance(ChunkOnVolume stored) {
        last = Optional.of(stored);
        if (end.equals(last)) {
            leaveVolume();
        }
    }

    private void leaveVolume() {
        walking = following;
        last = Optional.empty();
        fruitless++;
    }

    /** Returns whether a walk goes on, in which something may yet be moved. */
    boolean walks() {
        return fruitless > 0
                && restsSince.filter(since -> !context.passed(REST, since)).isEmpty();
    }

    /** Records that a chunk moves, or will: the walk goes on over all volumes. */
    void moved() {
        fruitless = 0;
    }

    private static boolean hasGroups(MetadataView view, RingPicture rings, RingFacts ring) {
        return view.ringGroups(ring).stream().limit(rings.mostToTolerate(ring)).anyMatch(count -> count > 0);
    }
}
