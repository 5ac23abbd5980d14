package io.ecfs.namenode.group;

import io.ecfs.layout.GroupId;
import io.ecfs.layout.InodeId;
import io.ecfs.layout.Policy;
import io.ecfs.layout.RingId;
import io.ecfs.message.VolumeId;
import io.ecfs.namenode.group.GroupFacts.Place;
import io.ecfs.namenode.row.LaterRelease;
import io.ecfs.namenode.row.RowReader;
import io.ecfs.namenode.row.RowWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The facts of a group but for its id, in rows and in outcomes:
 *
 * <pre>
 *   u8 flags | i32 stamp | number owner | text policy | number length + 1 | number ring, flag 4
 *   | number live bytes, flag 8 | number reach, flag 16
 *   | n times: number volume (0: absent), number generation
 *   flags: 0 to 2 kind of the owner (0 file, 1 pack, 2 patches of a file) | 4 a ring follows | 8 live bytes follow
 *          | 16 the reach follows
 * </pre>
 */
public final class GroupForm {
    private static final int OWNER = 3;
    private static final int FILE = 0;
    private static final int PACK = 1;
    private static final int PATCH = 2;
    private static final int RING = 4;
    private static final int LIVE = 8;
    private static final int REACH = 16;
    private static final int FLAGS = OWNER | RING | LIVE | REACH;

    private GroupForm() {}

    public static void write(RowWriter out, GroupFacts facts) {
        int flags = kind(facts.owner())
                | (facts.ring().isPresent() ? RING : 0)
                | (facts.liveBytes().isPresent() ? LIVE : 0)
                | (facts.reach().isPresent() ? REACH : 0);
        out.u8(flags)
                .i32(facts.stamp())
                .number(facts.owner().inode().value())
                .text(facts.policy().name())
                .number(facts.length() - GroupFacts.OPEN_LENGTH);
        facts.ring().ifPresent(ring -> out.number(ring.value()));
        facts.liveBytes().ifPresent(out::number);
        facts.reach().ifPresent(out::number);
        for (Place place : facts.places()) {
            out.number(place.volume().map(VolumeId::value).orElse(0)).number(place.generation());
        }
    }

    public static GroupFacts read(RowReader in, GroupId group) {
        int flags = in.u8();
        if ((flags & ~FLAGS) != 0 || (flags & OWNER) > PATCH) {
            throw new LaterRelease("group " + group + " has the flags " + flags + ", of which this release knows "
                    + FLAGS + " and owners up to " + PATCH);
        }
        int stamp = in.i32();
        GroupOwner owner = owner(flags & OWNER, new InodeId(in.number()));
        Policy policy = Policy.parse(in.text());
        long length = in.number() + GroupFacts.OPEN_LENGTH;
        Optional<RingId> ring = (flags & RING) == 0 ? Optional.empty() : Optional.of(new RingId(in.smallNumber()));
        Optional<Long> live = (flags & LIVE) == 0 ? Optional.empty() : Optional.of(in.number());
        Optional<Long> reach = (flags & REACH) == 0 ? Optional.empty() : Optional.of(in.number());
        return new GroupFacts(group, owner, policy, length, places(in, policy), stamp, ring, live, reach);
    }

    static List<Place> places(RowReader in, Policy policy) {
        List<Place> places = new ArrayList<>(policy.chunks());
        for (int i = 0; i < policy.chunks(); i++) {
            int volume = in.smallNumber();
            places.add(new Place(volume == 0 ? Optional.empty() : Optional.of(new VolumeId(volume)), in.smallNumber()));
        }
        return places;
    }

    private static int kind(GroupOwner owner) {
        if (owner instanceof GroupOwner.File) {
            return FILE;
        }
        return owner instanceof GroupOwner.Pack ? PACK : PATCH;
    }

    private static GroupOwner owner(int kind, InodeId inode) {
        return switch (kind) {
            case FILE -> new GroupOwner.File(inode);
            case PACK -> new GroupOwner.Pack(inode);
            default -> new GroupOwner.Patch(inode);
        };
    }
}
