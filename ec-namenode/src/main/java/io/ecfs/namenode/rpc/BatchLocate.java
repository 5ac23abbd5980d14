package io.ecfs.namenode.rpc;

import io.ecfs.error.EcfsException;
import io.ecfs.layout.Extent;
import io.ecfs.message.FilePath;
import io.ecfs.message.chunk.BlockToken.Right;
import io.ecfs.message.namespace.LocatedGroup;
import io.ecfs.message.namespace.NamespaceReply;
import io.ecfs.message.namespace.NamespaceRequest;
import io.ecfs.namenode.command.CallerIdentity;
import io.ecfs.namenode.context.Locator;
import io.ecfs.namenode.group.GroupFacts;
import io.ecfs.namenode.namespace.NamespaceView;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Locations of many files: their groups by the facts, found on any thread, and the places of their chunks, which the
 * event thread knows.
 */
final class BatchLocate {
    /** Most groups of one file in one answer. */
    static final int GROUPS_AT_ONCE = 100;

    /** Most groups in one answer; the client asks again for the files that are left. */
    private static final int PAGE_OF_GROUPS = 512;

    /** Result for one file: its groups, or the reason why the caller does not get them. */
    private sealed interface Found {
        record Here(NamespaceView.Located file) implements Found {}

        record Refused(EcfsException why) implements Found {}
    }

    private final String user;
    private final List<Found> files = new ArrayList<>();

    private BatchLocate(String user) {
        this.user = user;
    }

    static BatchLocate find(NamespaceView namespace, NamespaceRequest.LocateAll asked, CallerIdentity caller) {
        BatchLocate found = new BatchLocate(caller.user());
        int groups = 0;
        for (FilePath path : asked.paths()) {
            if (groups >= PAGE_OF_GROUPS) {
                break;
            }
            try {
                NamespaceView.Located file = namespace.locate(path, 0, asked.length(), GROUPS_AT_ONCE, caller);
                groups += file.size();
                found.files.add(new Found.Here(file));
            } catch (EcfsException e) {
                found.files.add(new Found.Refused(e));
            }
        }
        return found;
    }

    /** The reply; to be called on the event thread. */
    NamespaceReply.LocatedAll reply(Locator locator) {
        List<NamespaceReply.LocatedAll.Answer> answers = new ArrayList<>();
        for (Found file : files) {
            answers.add(
                    file instanceof Found.Here here
                            ? answer(here.file(), locator)
                            : NamespaceReply.LocatedAll.Answer.of(((Found.Refused) file).why()));
        }
        return new NamespaceReply.LocatedAll(answers);
    }

    private NamespaceReply.LocatedAll.Answer answer(NamespaceView.Located file, Locator locator) {
        try {
            return NamespaceReply.LocatedAll.Answer.of(located(locator, file, user));
        } catch (EcfsException e) {
            return NamespaceReply.LocatedAll.Answer.of(e);
        }
    }

    /** One file's groups with the places of their chunks, for a user who may read them. */
    static NamespaceReply.Located located(Locator locator, NamespaceView.Located file, String user)
            throws EcfsException {
        List<LocatedGroup> groups = new ArrayList<>();
        for (GroupFacts group : file.groups()) {
            List<Extent> extents = file.extents().stream()
                    .filter(extent -> extent.group().equals(group.group()))
                    .toList();
            groups.add(locator.locateToRead(group, extents, file.status().owner(), user));
        }
        return new NamespaceReply.Located(
                file.status(),
                file.extents(),
                groups,
                file.patches().isEmpty()
                        ? Optional.empty()
                        : Optional.of(patches(locator, file.patches().get(), user)));
    }

    private static NamespaceReply.Patches patches(Locator locator, NamespaceView.Patches patches, String user)
            throws EcfsException {
        List<LocatedGroup> groups = new ArrayList<>();
        for (GroupFacts group : patches.groups()) {
            groups.add(locator.locate(group, Right.READ, user));
        }
        return new NamespaceReply.Patches(patches.version(), patches.nonce(), patches.sealed(), groups);
    }
}
