package io.ecfs.namenode.rpc;

import io.ecfs.error.EcfsException;
import io.ecfs.layout.GroupId;
import io.ecfs.message.FilePath;
import io.ecfs.message.namespace.NamespaceReply;
import io.ecfs.message.namespace.NamespaceRequest;
import io.ecfs.message.report.GroupFile;
import io.ecfs.namenode.command.CallerIdentity;
import io.ecfs.namenode.namespace.NamespaceView;
import io.ecfs.namenode.state.MetadataView;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** From groups to the files that have bytes in them, for callers who could list these files. */
final class GroupFiles {
    private GroupFiles() {}

    static NamespaceReply find(MetadataView view, NamespaceRequest.FindGroups find, CallerIdentity caller)
            throws EcfsException {
        NamespaceView namespace = view.namespace();
        List<GroupFile> files = new ArrayList<>();
        for (GroupId group : find.groups()) {
            Optional<FilePath> path = view.group(group).flatMap(namespace::pathOf);
            if (path.isEmpty()) {
                files.add(new GroupFile(group, GroupFile.State.GONE, path));
            } else if (namespace.lists(FilePath.ROOT, path.get(), caller)) {
                files.add(new GroupFile(group, GroupFile.State.FOUND, path));
            } else {
                files.add(new GroupFile(group, GroupFile.State.DENIED, Optional.empty()));
            }
        }
        return new NamespaceReply.GroupFiles(files);
    }
}
