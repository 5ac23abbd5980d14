package io.ecfs.namenode.namespace.inode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ecfs.layout.EncodingSide;
import io.ecfs.layout.Extent;
import io.ecfs.layout.GroupId;
import io.ecfs.layout.InodeId;
import io.ecfs.layout.Policy;
import io.ecfs.layout.RingId;
import io.ecfs.message.namespace.AclEntry;
import io.ecfs.message.namespace.ConversionRule;
import io.ecfs.namenode.row.LaterRelease;
import io.ecfs.namenode.row.RowWriter;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Rows of inodes: what a release wrote, every later one reads, so these bytes never change. */
class InodeFormTest {
    private static final InodeId ID = new InodeId(300);
    private static final Policy POLICY = Policy.parse("rs-2-1-64k");
    private static final Attributes ATTRIBUTES = new Attributes(0644, "u", "g", 1000, 2000);
    private static final GroupId GROUP = new GroupId(5);
    private static final Extent FIRST = new Extent(0, 100, GROUP, 0);
    private static final Extent SECOND = new Extent(100, 50, new GroupId(6), 7);
    private static final Optional<Extent.Origin> ELSEWHERE = Optional.of(new Extent.Origin(new GroupId(2), 9));
    private static final DirectorySettings ALL = new DirectorySettings(
            Optional.of(POLICY),
            Optional.of(new RingId(3)),
            Optional.of(EncodingSide.MASTER),
            Optional.of(0L),
            List.of(
                    new ConversionRule(Duration.ofDays(30), POLICY),
                    new ConversionRule(Duration.ZERO, Policy.parse("replication-3"))));

    /** The row of a file called f in directory 1, up to kind and flags. */
    private static final String HEAD = "02 01 0166 a403 0175 0167 e807 d00f ";

    private static Inode file(List<Extent> extents, long length, long version, List<Inode.Patch> patches) {
        return inode(new Inode.File(POLICY, false, extents, length, version, version == 0 ? 0 : -2, patches));
    }

    private static Inode inode(Inode.Body body) {
        return new Inode(ID, Optional.of(InodeId.ROOT), "f", ATTRIBUTES, body);
    }

    private static byte[] bytes(String hex) {
        return HexFormat.of().parseHex(hex.replace(" ", ""));
    }

    private static String text(String ascii) {
        return HexFormat.of().toHexDigits((byte) ascii.length())
                + HexFormat.of().formatHex(ascii.getBytes(StandardCharsets.US_ASCII));
    }

    private static void is(Inode inode, String hex) {
        assertThat(InodeForm.write(inode).bytes()).asHexString().isEqualToIgnoringCase(hex.replace(" ", ""));
        assertThat(InodeForm.read(ID, bytes(hex))).isEqualTo(inode);
    }

    @Test
    void aFileOfNothingButExtentsCostsAsMuchAsWithoutTheOtherFields() {
        is(file(List.of(FIRST, SECOND), 150, 0, List.of()), HEAD + "01" + text("rs-2-1-64k") + "64 05 00" + "32 06 07");
        is(inode(new Inode.File(POLICY, true, List.of())), HEAD + "02" + text("rs-2-1-64k"));
    }

    @Test
    void eachFieldOfAFileIsReadAsItWasWritten() {
        String policy = text("rs-2-1-64k");
        is(file(List.of(FIRST), 200, 0, List.of()), HEAD + "05" + policy + "c801" + "64 05 00");
        is(file(List.of(FIRST), 100, 3, List.of()), HEAD + "09" + policy + "03 fffffffffffffffe" + "64 05 00");
        is(
                file(List.of(FIRST, SECOND.at(130)), 180, 0, List.of()),
                HEAD + "11" + policy + "00 64 05 00" + "1e 32 06 07");
        is(
                file(List.of(FIRST), 100, 0, List.of(new Inode.Patch(GROUP, Optional.of(0L)))),
                HEAD + "21" + policy + "01 05 01" + "64 05 00");
        is(
                file(List.of(FIRST, new Extent(100, 50, new GroupId(6), 7, ELSEWHERE)), 150, 0, List.of()),
                HEAD + "41" + policy + "64 05 00 00" + "32 06 07 02 09");
    }

    @Test
    void allFieldsOfAFileTogetherAreReadAsTheyWereWritten() {
        Inode.File full = new Inode.File(
                POLICY,
                true,
                List.of(FIRST.at(8), new Extent(1000, 50, new GroupId(6), 7, ELSEWHERE)),
                1L << 50,
                Long.MAX_VALUE,
                Long.MIN_VALUE,
                List.of(
                        new Inode.Patch(GROUP, Optional.empty()),
                        new Inode.Patch(new GroupId(Long.MAX_VALUE), Optional.of(1L << 40))));
        Inode inode = inode(full)
                .withAttributes(ATTRIBUTES.with(new Acl.Stored(
                        0640, List.of(new AclEntry(AclEntry.Scope.ACCESS, AclEntry.Type.USER, "eve", 6)))));
        assertThat(InodeForm.read(ID, InodeForm.write(inode).bytes())).isEqualTo(inode);
    }

    @Test
    void aDirectoryPaysForWhatItSettles() {
        is(inode(new Inode.Directory(DirectorySettings.NONE)), HEAD + "00");
        is(
                inode(new Inode.Directory(DirectorySettings.ofPolicy(Optional.of(POLICY)))),
                HEAD + "00" + "01" + text("rs-2-1-64k"));
        is(
                inode(new Inode.Directory(ALL)),
                HEAD + "00" + "01" + text("rs-2-1-64k") + "02 01 03" + "03 01 02" + "04 01 00" + "05 20 02"
                        + "8090fbd309" + text("rs-2-1-64k") + "00" + text("replication-3"));
    }

    @ParameterizedTest
    @CsvSource({"CLIENT, 1", "MASTER, 2", "AUTO, 3"})
    void theSideThatEncodesHasANumber(EncodingSide side, int number) {
        DirectorySettings settings = new DirectorySettings(
                Optional.empty(), Optional.empty(), Optional.of(side), Optional.of(1L << 20), List.of());
        Inode inode = inode(new Inode.Directory(settings));
        byte[] row = InodeForm.write(inode).bytes();
        assertThat(row[bytes(HEAD).length + 3]).isEqualTo((byte) number);
        assertThat(InodeForm.read(ID, row)).isEqualTo(inode);
    }

    @Test
    void changingThePolicyLeavesTheOtherSettings() {
        DirectorySettings changed = ALL.with(Optional.empty());
        assertThat(changed.policy()).isEmpty();
        assertThat(changed.with(ALL.policy())).isEqualTo(ALL);
    }

    @Test
    void changingTheEncodingSideLeavesTheOtherSettings() {
        DirectorySettings changed = ALL.encodedBy(Optional.empty());
        assertThat(changed.encoding()).isEmpty();
        assertThat(changed.encodedBy(ALL.encoding())).isEqualTo(ALL);
    }

    /** Rows of 6e8d76b. */
    @Test
    void rowsOfTheFirstVersionAreRead() {
        String head = HEAD.replaceFirst("02", "01");
        String policy = text("rs-2-1-64k");
        assertThat(InodeForm.read(ID, bytes(head + "01" + policy + "64 05 00" + "32 06 07")))
                .isEqualTo(file(List.of(FIRST, SECOND), 150, 0, List.of()));
        assertThat(InodeForm.read(ID, bytes(head + "00 00")))
                .isEqualTo(inode(new Inode.Directory(DirectorySettings.NONE)));
        assertThat(InodeForm.read(ID, bytes(head + "00" + policy)))
                .isEqualTo(inode(new Inode.Directory(DirectorySettings.ofPolicy(Optional.of(POLICY)))));
    }

    @ParameterizedTest
    @ValueSource(strings = {"03", "04", "81", "82"})
    void kindsAndFlagsOfALaterReleaseAreRefused(String kind) {
        assertThatThrownBy(() -> InodeForm.read(ID, bytes(HEAD + kind + text("rs-2-1-64k"))))
                .isInstanceOf(LaterRelease.class)
                .hasMessageContaining("inode i300 has kind and flags " + Integer.parseInt(kind, 16));
    }

    @Test
    void aSettingOfALaterReleaseIsRefused() {
        RowWriter row = InodeForm.write(inode(new Inode.Directory(ALL)));
        row.tagged(6, 2, Optional.of("new"), RowWriter::text);
        assertThat(row.level()).isEqualTo(2);
        assertThatThrownBy(() -> InodeForm.read(ID, row.bytes()))
                .isInstanceOf(LaterRelease.class)
                .hasMessage("a directory row has a field 6 that this release does not know");
    }

    @Test
    void aSideThatALaterReleaseEncodesOnIsRefused() {
        assertThatThrownBy(() -> InodeForm.read(ID, bytes(HEAD + "00" + "03 01 04")))
                .isInstanceOf(LaterRelease.class)
                .hasMessageContaining("encoding side 4");
    }

    @Test
    void aRowOfALaterVersionIsRefused() {
        byte[] row = InodeForm.write(inode(new Inode.Directory(ALL))).bytes();
        row[0] = 3;
        assertThatThrownBy(() -> InodeForm.read(ID, row)).isInstanceOf(LaterRelease.class);
        assertThatThrownBy(() -> InodeForm.read(ID, bytes(HEAD + "01" + text("rs-2-1-64k") + "64")))
                .isNotInstanceOf(LaterRelease.class)
                .hasMessageContaining("early end");
    }

    @Test
    void extentsThatOverlapAndLengthsThatCutThemOffAreNoFile() {
        assertThatThrownBy(() -> new Inode.File(POLICY, false, List.of(FIRST, SECOND.at(99))))
                .hasMessageContaining("overlap before 100");
        assertThatThrownBy(() -> new Inode.File(POLICY, false, List.of(FIRST), 99, 0, 0, List.of()))
                .hasMessageContaining("a file of 99 bytes has extents to 100");
        assertThatThrownBy(() -> new Inode.File(POLICY, false, List.of(FIRST), 100, 0, 1, List.of()))
                .hasMessageContaining("of a file of version 0");
    }
}
