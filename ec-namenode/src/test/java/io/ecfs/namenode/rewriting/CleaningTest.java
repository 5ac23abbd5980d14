package io.ecfs.namenode.rewriting;

import static org.assertj.core.api.Assertions.assertThat;

import io.ecfs.layout.Extent;
import io.ecfs.layout.GroupId;
import io.ecfs.layout.InodeId;
import io.ecfs.message.FilePath;
import io.ecfs.message.VolumeState;
import io.ecfs.message.datanode.DatanodeOrder;
import io.ecfs.message.namespace.NamespaceReply;
import io.ecfs.message.namespace.NamespaceRequest.CommitFiles;
import io.ecfs.message.namespace.NamespaceRequest.Create;
import io.ecfs.message.namespace.NamespaceRequest.CreateWithoutGroup;
import io.ecfs.message.namespace.NamespaceRequest.Delete;
import io.ecfs.message.namespace.NamespaceRequest.OpenPack;
import io.ecfs.message.namespace.PackedFile;
import io.ecfs.namenode.entry.CommandCodec;
import io.ecfs.namenode.rpc.TestCluster;
import io.ecfs.namenode.state.MetadataView;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Packs that are cleaned at the leader, and those that are not. */
class CleaningTest {
    private static final String WRITER = "writer";
    private static final int BLOCK = 4096;
    private static final int FILES = 40;
    private static final int TINY = 100;

    private final TestCluster cluster =
            new TestCluster(1, 6, TestCluster.RECOVERY.off(), new CommandCodec(), Duration.ofMinutes(2)).ready();

    private static String path(int file) {
        return "/p/f" + file;
    }

    private InodeId create(String path) {
        Create create = new Create(cluster.request(WRITER), new FilePath(path), 0644, false, true, Optional.empty());
        return ((NamespaceReply.Status) cluster.call(new CreateWithoutGroup(create)))
                .status()
                .inode();
    }

    /** Files that are much smaller than a block, in one sealed pack, as close together as they may lie. */
    private void packTinyFiles() {
        List<InodeId> inodes =
                IntStream.range(0, FILES).mapToObj(file -> create(path(file))).toList();
        NamespaceReply.Created pack =
                (NamespaceReply.Created) cluster.call(new OpenPack(cluster.request(WRITER), inodes.get(0), List.of()));
        List<PackedFile> files = new ArrayList<>();
        for (InodeId inode : inodes) {
            files.add(new PackedFile(
                    inode, List.of(new PackedFile.Piece(pack.first().group(), (long) files.size() * BLOCK, TINY))));
        }
        cluster.call(new CommitFiles(cluster.request(WRITER), pack.status().inode(), files));
        int chunks = pack.first().chunks().size();
        cluster.complete(WRITER, pack.status().inode(), cluster.write(pack.first(), (long) FILES * BLOCK, chunks));
    }

    private List<GroupId> rewritten() {
        return cluster.datanodes.values().stream()
                .flatMap(datanode -> datanode.rewritten.stream())
                .map(DatanodeOrder.Rewrite::target)
                .map(DatanodeOrder.Rewrite.Group::group)
                .distinct()
                .toList();
    }

    private Set<GroupId> groups(int from) {
        return IntStream.range(from, FILES)
                .boxed()
                .flatMap(file -> cluster.locate(path(file)).extents().stream())
                .map(Extent::group)
                .collect(Collectors.toSet());
    }

    @Test
    void gapsThatFilesNeedBetweenThemAreNotCleanedAway() {
        packTinyFiles();
        cluster.time.advance(Duration.ofMinutes(10));
        assertThat(rewritten()).as("2 % of its bytes are live").isEmpty();
    }

    @Test
    void whatIsLeftOfAPackOfTinyFilesIsCopiedOnce() {
        packTinyFiles();
        cluster.time.advance(Duration.ofMinutes(3));
        Set<GroupId> before = groups(0);
        int kept = FILES / 4;
        for (int file = 0; file < FILES - kept; file++) {
            cluster.call(new Delete(cluster.request(WRITER), new FilePath(path(file)), false));
        }
        cluster.await(() -> !groups(FILES - kept).equals(before), Duration.ofMinutes(10));
        assertThat(groups(FILES - kept)).hasSize(1);
        cluster.time.advance(Duration.ofMinutes(20));
        assertThat(rewritten()).hasSize(1);
        assertThat(cluster.groups().healthy()).as("the old group is gone").isEqualTo(1);
    }

    private boolean cleans() {
        try (MetadataView view = cluster.facts(cluster.leader())) {
            return !view.rewrites(1).isEmpty();
        }
    }

    @Test
    void whatMayStayDeadDoesNotWhenAVolumeIsFull() {
        for (String directory : new String[] {"/a", "/b", "/c"}) {
            cluster.pack(
                    IntStream.range(0, 10).mapToObj(i -> directory + "/f" + i).toList(), 100_000);
        }
        IntStream.range(0, 8).forEach(i -> cluster.delete("/a/f" + i));
        cluster.time.advance(Duration.ofMinutes(5));
        assertThat(cluster.datanodes.values())
                .allSatisfy(datanode -> assertThat(datanode.rewritten)
                        .as("8 of 30 files are dead")
                        .isEmpty());
        cluster.datanodes.get(1).state = VolumeState.FULL;
        cluster.await(this::cleans, Duration.ofMinutes(3));
    }
}
