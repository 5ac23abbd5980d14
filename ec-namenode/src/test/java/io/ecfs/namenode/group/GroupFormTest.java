package io.ecfs.namenode.group;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ecfs.layout.GroupId;
import io.ecfs.layout.InodeId;
import io.ecfs.layout.Policy;
import io.ecfs.layout.RingId;
import io.ecfs.layout.Stamp;
import io.ecfs.message.VolumeId;
import io.ecfs.namenode.group.GroupFacts.Place;
import io.ecfs.namenode.row.Keys;
import io.ecfs.namenode.row.LaterRelease;
import io.ecfs.namenode.store.KeyValueStore.Table;
import io.ecfs.namenode.store.KeyValueStore.Transaction;
import io.ecfs.namenode.store.MemoryStore;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Rows of groups: what a release wrote, every later one reads, so these bytes never change. */
class GroupFormTest {
    private static final GroupId GROUP = new GroupId(7);
    private static final InodeId FILE = new InodeId(300);
    private static final Policy POLICY = Policy.parse("rs-2-1-64k");
    private static final String NAME = "0a72732d322d312d36346b";
    private static final String PLACES = "0100" + "0002" + "ac0201";
    private static final GroupFacts PLAIN = new GroupFacts(
            GROUP,
            FILE,
            POLICY,
            99,
            List.of(
                    new Place(Optional.of(new VolumeId(1)), 0),
                    new Place(Optional.empty(), 2),
                    new Place(Optional.of(new VolumeId(300)), 1)),
            0xCAFE_F00D);

    private final MemoryStore store = new MemoryStore();
    private final Transaction transaction = store.begin();

    @AfterEach
    void close() {
        transaction.close();
        store.close();
    }

    private static GroupFacts group(GroupOwner owner, Optional<RingId> ring, Optional<Long> liveBytes) {
        return new GroupFacts(GROUP, owner, POLICY, 99, PLAIN.places(), PLAIN.stamp(), ring, liveBytes);
    }

    private void is(GroupFacts facts, String hex) {
        Groups.put(transaction, facts);
        assertThat(transaction.get(Table.GROUPS, Keys.number(7)))
                .asHexString()
                .isEqualToIgnoringCase(hex.replace(" ", ""));
        assertThat(Groups.find(transaction, GROUP)).contains(facts);
    }

    private GroupFacts read(String hex) {
        transaction.put(Table.GROUPS, Keys.number(7), HexFormat.of().parseHex(hex.replace(" ", "")));
        return Groups.find(transaction, GROUP).orElseThrow();
    }

    @Test
    void aGroupOfAFilePaysOneByteForTheOtherFields() {
        is(PLAIN, "03 00 cafef00d ac02" + NAME + "64" + PLACES);
    }

    @Test
    void eachFieldIsReadAsItWasWritten() {
        Optional<RingId> ring = Optional.of(new RingId(200));
        is(
                group(new GroupOwner.Pack(new InodeId(5)), Optional.empty(), Optional.empty()),
                "03 01 cafef00d 05" + NAME + "64" + PLACES);
        is(
                group(new GroupOwner.Patch(FILE), Optional.empty(), Optional.empty()),
                "03 02 cafef00d ac02" + NAME + "64" + PLACES);
        is(group(new GroupOwner.File(FILE), ring, Optional.empty()), "03 04 cafef00d ac02" + NAME + "64 c801" + PLACES);
        is(
                group(new GroupOwner.File(FILE), Optional.empty(), Optional.of(0L)),
                "03 08 cafef00d ac02" + NAME + "64 00" + PLACES);
        is(
                group(new GroupOwner.Patch(FILE), ring, Optional.of(70L)),
                "03 0e cafef00d ac02" + NAME + "64 c801 46" + PLACES);
        is(
                group(new GroupOwner.Pack(FILE), Optional.empty(), Optional.of(70L))
                        .reaching(200),
                "03 19 cafef00d ac02" + NAME + "64 46 c801" + PLACES);
    }

    @Test
    void aSealedGroupIsCutShortWhenAnExtentEndedBehindIt() {
        GroupFacts open = group(new GroupOwner.Pack(FILE), Optional.empty(), Optional.of(70L));
        assertThat(open.cutShort()).isFalse();
        assertThat(open.reaching(99).reaching(98).cutShort()).isFalse();
        assertThat(open.reaching(100).reaching(98).cutShort()).isTrue();
        assertThat(open.reaching(100)
                        .sealed(GroupFacts.OPEN_LENGTH, open.places())
                        .cutShort())
                .isFalse();
    }

    @Test
    void otherPlacesAndAnotherLengthLeaveRingAndLiveBytesAndAnotherFileTheRing() {
        GroupFacts facts = group(new GroupOwner.File(FILE), Optional.of(new RingId(1)), Optional.of(70L));
        GroupFacts changed = facts.with(facts.places()).sealed(98, facts.places());
        assertThat(changed.ring()).isEqualTo(facts.ring());
        assertThat(changed.liveBytes()).isEqualTo(facts.liveBytes());
        GroupFacts given = changed.of(new InodeId(4));
        assertThat(given.ring()).isEqualTo(facts.ring());
        assertThat(given.liveBytes()).isEmpty();
        assertThat(given.owner().onlyFile()).contains(new InodeId(4));
        assertThat(new GroupOwner.Pack(new InodeId(5)).onlyFile()).isEmpty();
    }

    @Test
    void rowsOfEarlierVersionsAreRead() {
        String rest = "ac02" + NAME + "64" + PLACES;
        assertThat(read("02 cafef00d" + rest)).isEqualTo(PLAIN);
        assertThat(read("01" + rest)).isEqualTo(new GroupFacts(GROUP, FILE, POLICY, 99, PLAIN.places(), Stamp.NONE));
    }

    @ParameterizedTest
    @ValueSource(strings = {"03", "20", "80"})
    void flagsAndOwnersOfALaterReleaseAreRefused(String flags) {
        assertThatThrownBy(() -> read("03" + flags + "cafef00d ac02" + NAME + "64" + PLACES))
                .isInstanceOf(LaterRelease.class)
                .hasMessageContaining("group g7 has the flags " + Integer.parseInt(flags, 16));
    }

    @Test
    void liveBytesAreNotMoreThanAGroupHolds() {
        assertThatThrownBy(
                        () -> group(new GroupOwner.File(FILE), Optional.empty(), Optional.of(POLICY.groupBytes() + 1)))
                .hasMessageContaining("live bytes of g7 are impossible");
    }
}
