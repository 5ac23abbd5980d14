package io.ecfs.console.view;

import io.ecfs.client.EcfsClient;
import io.ecfs.layout.GroupId;
import io.ecfs.message.FilePath;
import io.ecfs.message.namespace.LocatedGroup;
import io.ecfs.message.namespace.NamespaceReply;
import io.ecfs.message.namespace.PatchGroup;
import io.ecfs.wire.Await;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.List;
import java.util.Optional;

/**
 * Patches of a file, for {@code ecfs admin patches} and the console; the names of its components are the keys of
 * {@code --json}.
 *
 * @param version of its layout; 0: an ordinary file
 * @param open whether it is open for update now
 * @param storedBytes user bytes of all sealed patch groups
 * @param liveBytes of these, those that are the file's
 * @param openGroup the patch group that its updater fills, if there is one
 */
public record PatchedFile(
        String path,
        long length,
        long version,
        boolean open,
        long storedBytes,
        long liveBytes,
        List<Patch> patches,
        Optional<Long> openGroup) {
    /**
     * A sealed group, the oldest first.
     *
     * @param liveBytes as its updater counted them last
     * @param indexed whether it ends with an index: otherwise each opening reads its batches
     */
    public record Patch(long groupId, long length, long liveBytes, boolean indexed) {
        private static Patch of(PatchGroup group) {
            return new Patch(
                    group.group().value(),
                    group.length(),
                    group.liveBytes(),
                    group.indexOffset().isPresent());
        }
    }

    public static PatchedFile of(EcfsClient client, FilePath path) throws IOException {
        NamespaceReply.Located located = Await.result(client.locate(path, 0, 1));
        Optional<NamespaceReply.Patches> patches = located.patches();
        List<Patch> sealed = patches.stream()
                .flatMap(all -> all.sealed().stream())
                .map(Patch::of)
                .toList();
        return new PatchedFile(
                path.text(),
                located.status().length(),
                patches.map(NamespaceReply.Patches::version).orElse(0L),
                patches.isPresent() && located.status().open(),
                sealed.stream().mapToLong(Patch::length).sum(),
                sealed.stream().mapToLong(Patch::liveBytes).sum(),
                sealed,
                patches.flatMap(NamespaceReply.Patches::open)
                        .map(LocatedGroup::group)
                        .map(GroupId::value));
    }

    public void print(PrintWriter out) {
        if (patches.isEmpty()) {
            out.println(path + " has no patches" + (open ? " yet; it is open for update" : ""));
            return;
        }
        TextTable table = new TextTable("GROUP", "BYTES", "LIVE", "SHARE", "INDEX");
        for (Patch patch : patches) {
            table.row(
                    new GroupId(patch.groupId()),
                    TextTable.bytes(patch.length()),
                    TextTable.bytes(patch.liveBytes()),
                    100 * patch.liveBytes() / patch.length() + " %",
                    patch.indexed() ? "yes" : "no");
        }
        out.print(table);
        out.println(path + ": " + TextTable.bytes(liveBytes) + " of " + TextTable.bytes(storedBytes)
                + " in patches are live, version " + version
                + openGroup
                        .map(group -> "; open for update, group " + new GroupId(group))
                        .orElse(""));
    }
}
