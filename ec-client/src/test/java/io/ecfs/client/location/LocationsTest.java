package io.ecfs.client.location;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ecfs.env.ManualTime;
import io.ecfs.error.EcfsException;
import io.ecfs.error.ErrorCode;
import io.ecfs.layout.Extent;
import io.ecfs.layout.GroupId;
import io.ecfs.layout.InodeId;
import io.ecfs.layout.Policy;
import io.ecfs.layout.Stamp;
import io.ecfs.message.FilePath;
import io.ecfs.message.chunk.BlockToken;
import io.ecfs.message.namespace.FileStatus;
import io.ecfs.message.namespace.LocatedGroup;
import io.ecfs.message.namespace.NamespaceReply;
import io.ecfs.message.namespace.NamespaceRequest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/** A file of many short groups, as a writer leaves them that calls hsync often; the namenode tells a page at a time. */
class LocationsTest {
    private static final Policy POLICY = Policy.parse("rs-3-2-4k");
    private static final int GROUPS = 5000;
    private static final int GROUP_BYTES = 10;
    private static final int PAGE = 100;

    private final ManualTime time = new ManualTime(1);
    private Duration tokenLife = Duration.ofHours(1);

    private final Tree lookup = new Tree();
    private InodeId file = new InodeId(7);

    private FileStatus fileAt(FilePath path) {
        return new FileStatus(path, file, false, (long) GROUPS * GROUP_BYTES, false, 0644, "me", "us", 0, 0, POLICY);
    }

    private NamespaceReply.Located answer(NamespaceRequest.Locate asked) {
        List<Extent> extents = new ArrayList<>();
        List<LocatedGroup> groups = new ArrayList<>();
        int first = (int) (asked.offset() / GROUP_BYTES);
        for (int i = first; i < Math.min(GROUPS, first + PAGE); i++) {
            GroupId group = new GroupId(i + 1);
            BlockToken token = new BlockToken(
                    group,
                    Stamp.NONE,
                    BlockToken.Right.READ,
                    time.epochMillis() + tokenLife.toMillis(),
                    1,
                    new byte[BlockToken.SIGNATURE_BYTES]);
            extents.add(new Extent((long) i * GROUP_BYTES, GROUP_BYTES, group, 0));
            groups.add(new LocatedGroup(group, POLICY, GROUP_BYTES, List.of(), token));
        }
        return new NamespaceReply.Located(fileAt(asked.path()), extents, groups);
    }

    private Locations locations() {
        NamespaceRequest.Locate all = new NamespaceRequest.Locate(new FilePath("/f"), 0, Long.MAX_VALUE);
        return new ExtentLocations(all.path(), answer(all), List.of(), time, open(group -> List.of()), lookup);
    }

    /** A namenode with one file. */
    private final class Tree implements Lookup {
        FilePath path = new FilePath("/f");
        boolean silent;
        int asked;
        Optional<NamespaceReply.Located> fixed = Optional.empty();

        @Override
        public CompletableFuture<NamespaceReply.Located> locate(NamespaceRequest.Locate asked) {
            this.asked++;
            if (fixed.isPresent()) {
                return CompletableFuture.completedFuture(fixed.get());
            }
            return asked.path().equals(path) ? CompletableFuture.completedFuture(answer(asked)) : missing();
        }

        @Override
        public CompletableFuture<NamespaceReply.LocatedAll> locateAll(NamespaceRequest.LocateAll asked) {
            throw new AssertionError("one file is open");
        }

        @Override
        public CompletableFuture<FileStatus> status(InodeId inode) {
            if (silent) {
                return CompletableFuture.failedFuture(new EcfsException(ErrorCode.TIMEOUT, "no answer"));
            }
            return inode.equals(file) ? CompletableFuture.completedFuture(fileAt(path)) : missing();
        }

        private <T> CompletableFuture<T> missing() {
            return CompletableFuture.failedFuture(new EcfsException(ErrorCode.NOT_FOUND, "not there"));
        }
    }

    /**
     * Which extents a file of two groups has, of {@value #GROUP_BYTES} bytes each, the last one perhaps being written.
     */
    private static NamespaceReply.Located two(boolean open, int first, int second) {
        FileStatus status = new FileStatus(
                new FilePath("/f"),
                new InodeId(7),
                false,
                (open ? 1L : 2L) * GROUP_BYTES,
                open,
                0644,
                "me",
                "us",
                0,
                0,
                POLICY);
        List<Extent> extents = new ArrayList<>(List.of(new Extent(0, GROUP_BYTES, new GroupId(first), 0)));
        if (!open) {
            extents.add(new Extent(GROUP_BYTES, GROUP_BYTES, new GroupId(second), 0));
        }
        return new NamespaceReply.Located(
                status,
                extents,
                List.of(group(first, GROUP_BYTES), group(second, open ? LocatedGroup.OPEN : GROUP_BYTES)));
    }

    private static LocatedGroup group(int number, long length) {
        GroupId group = new GroupId(number);
        BlockToken token =
                new BlockToken(group, Stamp.NONE, BlockToken.Right.READ, 0, 1, new byte[BlockToken.SIGNATURE_BYTES]);
        return new LocatedGroup(group, POLICY, length, List.of(), token);
    }

    /**
     * As a reader has it that opened the file while its second group was being written, with all its bytes
     * acknowledged.
     */
    private Locations openedWhileWritten() {
        return new ExtentLocations(
                new FilePath("/f"),
                two(true, 1, 2),
                List.of(segment(2)),
                time,
                open(group -> List.of(segment((int) group.group().number()))),
                lookup);
    }

    private static OpenGroups open(Function<LocatedGroup, List<Segment>> behindEnd) {
        return new OpenGroups() {
            @Override
            public CompletableFuture<List<Segment>> segments(LocatedGroup group, long fileOffset) {
                return CompletableFuture.completedFuture(behindEnd.apply(group));
            }

            @Override
            public CompletableFuture<List<Segment>> packed(LocatedGroup group, Extent extent) {
                throw new AssertionError(extent + " is in an open group");
            }
        };
    }

    private static Segment segment(int number) {
        return Segment.of(new Extent(GROUP_BYTES, GROUP_BYTES, new GroupId(number), 0), group(number, GROUP_BYTES));
    }

    private static void assertChanged(Locations locations, long position) {
        assertThatThrownBy(() -> locations.refreshed(position).join())
                .hasCauseInstanceOf(EcfsException.class)
                .satisfies(e -> assertThat(EcfsException.of(e).code()).isEqualTo(ErrorCode.FILE_CHANGED))
                .hasMessageContaining("was cut and written anew while it was being read");
    }

    @Test
    void aRewriteOfAFileThatWasOpenAtTheReadersOpenIsNoticed() {
        Locations locations = openedWhileWritten();
        lookup.fixed = Optional.of(two(false, 8, 2));
        assertChanged(locations, 0);
        lookup.fixed = Optional.of(two(false, 1, 2));
        assertThat(locations.refreshed(GROUP_BYTES).join().group().group()).isEqualTo(new GroupId(2));
        lookup.fixed = Optional.of(two(false, 1, 9)); // its last group was sealed, and is another one now
        assertChanged(locations, GROUP_BYTES + 3);
    }

    @Test
    void bytesThatMovedToAnotherGroupAreNoChangeAndOthersInTheirPlaceAre() {
        Locations locations = openedWhileWritten();
        lookup.fixed = Optional.of(moved(9, new Extent.Origin(new GroupId(1), 0)));
        Segment now = locations.refreshed(3).join();
        assertThat(now.group().group()).isEqualTo(new GroupId(9));
        assertThat(now.shift()).isEqualTo(77);
        lookup.fixed = Optional.of(moved(10, new Extent.Origin(new GroupId(1), 0)));
        assertThat(locations.refreshed(3).join().group().group()).isEqualTo(new GroupId(10));
        lookup.fixed = Optional.of(moved(11, new Extent.Origin(new GroupId(1), 1)));
        assertChanged(locations, 3);
        lookup.fixed = Optional.of(moved(11, new Extent.Origin(new GroupId(2), 0)));
        assertChanged(locations, 3);
    }

    /** The file with its first bytes behind 77 others in another group. */
    private static NamespaceReply.Located moved(int group, Extent.Origin origin) {
        NamespaceReply.Located before = two(true, 1, 2);
        return new NamespaceReply.Located(
                before.status(),
                List.of(new Extent(0, GROUP_BYTES, new GroupId(group), 77, Optional.of(origin))),
                List.of(group(group, GROUP_BYTES + 77), before.groups().get(1)));
    }

    @Test
    void whatItsWriterPutIntoAnotherGroupIsNoChangeOfAnOpenFile() {
        Locations locations = openedWhileWritten();
        for (NamespaceReply.Located next : List.of(two(true, 1, 3), two(true, 1, 4), two(false, 1, 5))) {
            lookup.fixed = Optional.of(next);
            assertThat(locations.refreshed(GROUP_BYTES).join().group().group())
                    .isEqualTo(next.groups().get(1).group());
        }
        lookup.fixed = Optional.of(two(false, 1, 6));
        assertChanged(locations, GROUP_BYTES);
    }

    @Test
    void aTokenIsRenewedBeforeItExpires() {
        Locations locations = locations();
        time.advance(tokenLife.minusSeconds(70));
        assertFound(locations, 0);
        assertThat(lookup.asked).isZero();
        time.advance(Duration.ofSeconds(20));
        assertFound(locations, 0);
        assertThat(lookup.asked).as("50 s are left of it").isEqualTo(1);
        assertFound(locations, 0);
        assertThat(lookup.asked).as("the new one lasts").isEqualTo(1);
    }

    private static void assertFound(Locations locations, int group) {
        assertThat(locations.at((long) group * GROUP_BYTES + 3).join().group().group())
                .isEqualTo(new GroupId(group + 1));
    }

    @Test
    void whoHasReadToTheEndFindsTheBeginningAgain() {
        Locations locations = locations();
        for (int group = 0; group < GROUPS; group++) {
            assertFound(locations, group);
        }
        for (int group = GROUPS - 1; group >= 0; group -= 7) {
            assertFound(locations, group);
        }
        assertFound(locations, 0);
    }

    @Test
    void aTokenOfShortLifeIsUsedAndAskedForAnewTheNextTime() {
        tokenLife = Duration.ofSeconds(30);
        Locations locations = locations();
        assertFound(locations, 0);
        assertFound(locations, 0);
    }

    @Test
    void aFileThatWasRenamedIsFoundAgainWhereverItIs() {
        Locations locations = locations();
        lookup.path = new FilePath("/elsewhere");
        assertFound(locations, GROUPS - 1);
        lookup.path = new FilePath("/f");
        assertThat(locations.refreshed(0).join().group().group()).isEqualTo(new GroupId(1));
    }

    @Test
    void anotherFileOfTheNameIsNotReadInItsPlace() {
        Locations locations = locations();
        file = new InodeId(8);
        assertThatThrownBy(() -> locations.refreshed(0).join())
                .hasMessageContaining("/f was replaced by another file while it was being read");
        lookup.path = new FilePath("/elsewhere");
        assertThatThrownBy(() -> locations.refreshed(0).join()).hasMessageContaining("not there");
        lookup.silent = true;
        assertThatThrownBy(() -> locations.refreshed(0).join())
                .as("nobody said that it is gone")
                .hasMessageContaining("no answer");
    }

    /** What its updater had not acknowledged when it died is given up under the reader's load. */
    @Test
    void patchesAreLoadedAgainThatWereGivenUpMeanwhile() {
        NamespaceReply.Located plain = answer(new NamespaceRequest.Locate(lookup.path, 0, Long.MAX_VALUE));
        NamespaceReply.Located patched = new NamespaceReply.Located(
                plain.status(),
                plain.extents(),
                plain.groups(),
                Optional.of(new NamespaceReply.Patches(1, 1, List.of(), List.of())));
        lookup.fixed = Optional.of(patched);
        AtomicInteger loads = new AtomicInteger();
        PatchLoader loader = (located, base) -> loads.incrementAndGet() < 3
                ? CompletableFuture.failedFuture(new EcfsException(ErrorCode.FILE_CHANGED, "given up"))
                : CompletableFuture.completedFuture(
                        new PatchedLocations(base, new PatchedBytes(POLICY, (long) GROUPS * GROUP_BYTES), time));
        Locations opened = FileLocations.of(lookup.path, patched, time, open(group -> List.of()), lookup, loader)
                .join();
        assertFound(opened, 0);
        assertThat(loads).hasValue(3);
    }
}
