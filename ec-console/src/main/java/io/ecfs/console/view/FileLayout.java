package io.ecfs.console.view;

import io.ecfs.client.EcfsClient;
import io.ecfs.error.EcfsException;
import io.ecfs.error.ErrorCode;
import io.ecfs.layout.Extent;
import io.ecfs.layout.GroupId;
import io.ecfs.message.FilePath;
import io.ecfs.message.chunk.ChunkLocation;
import io.ecfs.message.chunk.ChunkReply;
import io.ecfs.message.namespace.FileStatus;
import io.ecfs.message.namespace.LocatedGroup;
import io.ecfs.message.namespace.NamespaceReply;
import io.ecfs.message.namespace.NamespaceRequest.FindPacks;
import io.ecfs.message.namespace.PatchGroup;
import io.ecfs.message.report.PackUse;
import io.ecfs.wire.Await;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;

/**
 * Location of a file's bytes, for {@code ecfs admin layout}; the names of its components are the keys of
 * {@code --json}.
 */
public record FileLayout(
        String path,
        long length,
        String policy,
        List<ExtentView> extents,
        List<PatchView> patches,
        List<GroupView> groups) {

    /** Groups whose datanodes are probed concurrently, so that timeouts overlap. */
    private static final int CONCURRENT_PROBES = 32;

    public record ExtentView(long fileOffset, long length, long groupId, long groupOffset) {}

    /**
     * A sealed group of what was written over the extents, the oldest first.
     *
     * @param indexOffset byte of the group at which its index begins; empty: it has none
     */
    public record PatchView(long groupId, Optional<Long> indexOffset, long length, long liveBytes) {}

    /**
     * @param length user bytes of the group; -1 while it is being written
     * @param pack empty: the file has the group for itself
     */
    public record GroupView(long id, String policy, long length, Optional<PackView> pack, List<ChunkView> chunks) {}

    /**
     * Use of a group that small files share.
     *
     * @param files that have bytes in it, counted up to {@value PackUse#MOST_FILES}
     * @param liveBytes user bytes that these files refer to
     * @param others paths of other files in it that who asks could list, at most {@value #MOST_OTHERS}
     */
    public record PackView(long files, long liveBytes, List<String> others) {
        public static final int MOST_OTHERS = 20;

        static PackView of(PackUse pack, FilePath own) {
            return new PackView(
                    pack.files().orElse(0L),
                    pack.liveBytes(),
                    pack.paths().orElse(List.of()).stream()
                            .filter(path -> !path.equals(own))
                            .limit(MOST_OTHERS)
                            .map(FilePath::text)
                            .toList());
        }

        @Override
        public String toString() {
            return "pack of " + files
                    + (files == PackUse.MOST_FILES ? " or more files, " : files == 1 ? " file, " : " files, ")
                    + liveBytes + " bytes live";
        }
    }

    /**
     * @param file the chunk's data file on the datanode's machine; empty when the datanode does not answer
     * @param bytes stored in it, without checksums; -1 when the datanode does not answer
     * @param state as the datanode reports it ({@code finalised} …), otherwise as the namenode has it ({@code missing},
     *     {@code unreachable})
     */
    public record ChunkView(
            int index, int generation, String datanode, int volume, String file, long bytes, String state) {}

    /** Reads the extents from the namenode and probes every chunk at its datanode. */
    public static FileLayout of(EcfsClient client, FilePath path) throws IOException {
        return of(client, path, 0, Integer.MAX_VALUE);
    }

    /**
     * A part of it.
     *
     * @param from offset in the file of the first byte that is wanted
     * @param mostGroups extents of further groups are left out
     */
    public static FileLayout of(EcfsClient client, FilePath path, long from, int mostGroups) throws IOException {
        FileStatus status = Await.result(client.status(path));
        List<Extent> extents = new ArrayList<>();
        Map<GroupId, LocatedGroup> located = new TreeMap<>();
        Map<GroupId, LocatedGroup> groups = new TreeMap<>();
        Optional<NamespaceReply.Patches> patches = Optional.empty();
        for (long at = from; at == from || (at < status.length() && groups.size() < mostGroups); ) {
            NamespaceReply.Located page = Await.result(client.locate(path, at, Math.max(1, status.length() - at)));
            patches = page.patches();
            if (page.extents().isEmpty()) {
                break;
            }
            page.groups().forEach(g -> located.put(g.group(), g));
            for (Extent extent : page.extents()) {
                if (groups.size() == mostGroups && !groups.containsKey(extent.group())) {
                    break;
                }
                extents.add(extent);
                groups.computeIfAbsent(extent.group(), located::get);
            }
            at = page.extents().get(page.extents().size() - 1).fileEnd();
        }
        patches.stream()
                .flatMap(all -> all.groups().stream())
                .filter(group -> groups.size() < mostGroups)
                .forEach(group -> groups.put(group.group(), group));
        Map<GroupId, PackView> packs = packs(client, path, List.copyOf(groups.keySet()));
        List<GroupView> views = new ArrayList<>();
        Deque<ProbedGroup> asked = new ArrayDeque<>();
        for (LocatedGroup group : groups.values()) {
            if (asked.size() == CONCURRENT_PROBES) {
                views.add(asked.remove().view(packs));
            }
            asked.add(ProbedGroup.probe(client, group));
        }
        while (!asked.isEmpty()) {
            views.add(asked.remove().view(packs));
        }
        return new FileLayout(
                path.text(),
                status.length(),
                status.policy().name(),
                extents.stream().map(FileLayout::view).toList(),
                patches.stream()
                        .flatMap(all -> all.sealed().stream())
                        .map(FileLayout::view)
                        .toList(),
                views);
    }

    private static Map<GroupId, PackView> packs(EcfsClient client, FilePath path, List<GroupId> groups)
            throws IOException {
        Map<GroupId, PackView> packs = new TreeMap<>();
        for (int from = 0; from < groups.size(); from += FindPacks.MOST_GROUPS) {
            List<GroupId> some = groups.subList(from, Math.min(groups.size(), from + FindPacks.MOST_GROUPS));
            try {
                for (PackUse pack : Await.result(client.admin().packs(some, PackView.MOST_OTHERS + 1))) {
                    packs.put(pack.group(), PackView.of(pack, path));
                }
            } catch (EcfsException e) {
                if (e.code() == ErrorCode.UNSUPPORTED) { // a namenode of an earlier release
                    return packs;
                }
                throw e;
            }
        }
        return packs;
    }

    private static ExtentView view(Extent e) {
        return new ExtentView(e.fileOffset(), e.length(), e.group().value(), e.groupOffset());
    }

    private static PatchView view(PatchGroup patch) {
        return new PatchView(patch.group().value(), patch.indexOffset(), patch.length(), patch.liveBytes());
    }

    /** A group whose chunks are being probed. */
    private record ProbedGroup(LocatedGroup group, Map<ChunkLocation, CompletableFuture<ChunkReply.Probed>> answers) {
        static ProbedGroup probe(EcfsClient client, LocatedGroup group) {
            Map<ChunkLocation, CompletableFuture<ChunkReply.Probed>> answers =
                    new TreeMap<>(Comparator.comparing(ChunkLocation::chunk));
            group.chunks().forEach(c -> answers.put(c, client.probe(c, group.token())));
            return new ProbedGroup(group, answers);
        }

        GroupView view(Map<GroupId, PackView> packs) throws IOException {
            List<ChunkView> chunks = new ArrayList<>();
            for (var entry : answers.entrySet()) {
                chunks.add(FileLayout.view(entry.getKey(), entry.getValue()));
            }
            return new GroupView(
                    group.group().value(),
                    group.policy().name(),
                    group.length(),
                    Optional.ofNullable(packs.get(group.group())),
                    chunks);
        }
    }

    private static ChunkView view(ChunkLocation at, CompletableFuture<ChunkReply.Probed> asked) throws IOException {
        String file = "";
        long bytes = -1;
        String state = at.state().name();
        try {
            ChunkReply.Probed probed = Await.result(asked);
            file = probed.file();
            bytes = probed.record().bytes();
            state = probed.record().state().name();
        } catch (EcfsException silent) {
            state = at.state() == ChunkLocation.State.LIVE ? silent.code().name() : state;
        }
        return new ChunkView(
                at.chunk().index(),
                at.chunk().generation(),
                at.datanode().name(),
                at.volume().value(),
                file,
                bytes,
                state.toLowerCase(Locale.ROOT));
    }

    public void print(PrintWriter out) {
        out.println(path + "  " + TextTable.bytes(length) + "  " + policy);
        TextTable table = new TextTable("FILE OFFSET", "LENGTH", "GROUP", "GROUP OFFSET");
        extents.forEach(e -> table.row(e.fileOffset(), e.length(), "g" + e.groupId(), e.groupOffset()));
        out.println(table);
        if (!patches.isEmpty()) {
            TextTable over = new TextTable("PATCH", "LENGTH", "LIVE", "INDEX AT");
            patches.forEach(p -> over.row(
                    "g" + p.groupId(),
                    p.length(),
                    p.liveBytes(),
                    p.indexOffset().map(String::valueOf).orElse("-")));
            out.println(over);
        }
        for (GroupView g : groups) {
            out.println("group g" + g.id() + "  " + g.policy() + "  "
                    + (g.length() < 0 ? "being written" : g.length() + " bytes")
                    + g.pack().map(pack -> "  " + pack).orElse(""));
            TextTable chunks = new TextTable("CHUNK", "DATANODE", "VOLUME", "STATE", "BYTES", "FILE");
            g.chunks()
                    .forEach(c -> chunks.row(
                            c.index() + (c.generation() == 0 ? "" : "~" + c.generation()),
                            c.datanode(),
                            "v" + c.volume(),
                            c.state(),
                            c.bytes() < 0 ? "-" : c.bytes(),
                            c.file()));
            out.println(chunks);
            g.pack().map(PackView::others).filter(others -> !others.isEmpty()).ifPresent(others -> {
                out.println("packed with");
                others.forEach(other -> out.println("  " + other));
            });
        }
        out.flush();
    }
}
