package io.ecfs.namenode.rpc;

import io.ecfs.error.EcfsException;
import io.ecfs.layout.GroupId;
import io.ecfs.message.FilePath;
import io.ecfs.message.namespace.NamespaceReply;
import io.ecfs.message.namespace.NamespaceRequest;
import io.ecfs.message.report.PackUse;
import io.ecfs.namenode.command.CallerIdentity;
import io.ecfs.namenode.group.GroupFacts;
import io.ecfs.namenode.group.PackedGroups;
import io.ecfs.namenode.namespace.NamespaceView;
import io.ecfs.namenode.settings.RewriteSettings;
import io.ecfs.namenode.state.MetadataView;
import java.util.List;
import java.util.Optional;

/** Groups that small files share, and how much of them files refer to. */
final class PackUses {
    private PackUses() {}

    static NamespaceReply find(MetadataView view, NamespaceRequest.FindPacks find, CallerIdentity caller)
            throws EcfsException {
        NamespaceView namespace = view.namespace();
        return new NamespaceReply.Packs(
                find.groups().stream()
                        .flatMap(group -> view.group(group).stream())
                        .filter(group -> PackedGroups.packed(group) && namespace.mayRead(group, caller))
                        .map(group -> use(
                                group,
                                Optional.of(view.packedFiles(group.group(), PackUse.MOST_FILES)),
                                find.paths().map(most -> namespace.listedPaths(group, most, caller))))
                        .toList(),
                0,
                Optional.empty(),
                Optional.empty());
    }

    static NamespaceReply page(MetadataView view, NamespaceRequest.ListPacks list, RewriteSettings settings) {
        List<GroupId> groups = view.packs(new GroupId(list.after() + 1), list.limit());
        return new NamespaceReply.Packs(
                groups.stream()
                        .flatMap(group -> view.group(group).stream())
                        .map(group -> use(group, Optional.empty(), Optional.empty()))
                        .toList(),
                groups.size() < list.limit() ? 0 : groups.get(groups.size() - 1).value(),
                Optional.of(settings.cleanBelow()),
                Optional.of(settings.deadShare()));
    }

    private static PackUse use(GroupFacts group, Optional<Long> files, Optional<List<FilePath>> paths) {
        return new PackUse(group.group(), group.length(), PackedGroups.live(group), files, paths);
    }
}
