package io.ecfs.namenode.rewriting;

import io.ecfs.layout.Extent;
import io.ecfs.layout.GroupId;
import io.ecfs.layout.Policy;
import io.ecfs.namenode.context.ClusterView;
import io.ecfs.namenode.group.GroupFacts;
import io.ecfs.namenode.health.HealthSurvey;
import io.ecfs.namenode.namespace.inode.Inode;
import io.ecfs.namenode.state.MetadataView;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;

/**
 * The groups that may be copied at present: those that are sealed, lack no chunk and are not suspect, while lost chunks
 * are not reconstructed. Owner thread: the namenode's event thread.
 */
public final class RewriteSources {
    private final ClusterView cluster;
    private final HealthSurvey survey;
    private final BooleanSupplier reconstructing;
    private final Predicate<GroupId> suspected;

    /**
     * @param reconstructing whether lost chunks are being rebuilt
     * @param suspected whether chunks of a group contradict each other
     */
    public RewriteSources(
            ClusterView cluster, HealthSurvey survey, BooleanSupplier reconstructing, Predicate<GroupId> suspected) {
        this.cluster = cluster;
        this.survey = survey;
        this.reconstructing = reconstructing;
        this.suspected = suspected;
    }

    /** The reason why no group is to be copied now. */
    Optional<String> blocked() {
        if (!survey.firstPassDone()) {
            return Optional.of("the leader compares chunks with the facts first");
        }
        return reconstructing.getAsBoolean() ? Optional.of("lost chunks are reconstructed first") : Optional.empty();
    }

    boolean suspected(GroupId group) {
        return suspected.test(group);
    }

    /** The reason why the bytes of a group are not to be copied now. */
    Optional<String> unreadable(MetadataView view, GroupId id) {
        Optional<GroupFacts> group = view.sealedGroup(id);
        if (group.isEmpty()) {
            return Optional.of("group " + id + " is still being written");
        }
        if (suspected(id)) {
            return Optional.of("chunks of group " + id + " contradict each other");
        }
        boolean whole = survey.lacking(id).isEmpty()
                && cluster.live(group.get()).size() == group.get().policy().chunks();
        return whole ? Optional.empty() : Optional.of("group " + id + " lacks chunks");
    }

    /** The reason why some of these bytes are not to be copied now. */
    Optional<String> unreadable(MetadataView view, List<Extent> extents) {
        return extents.stream()
                .flatMap(extent -> unreadable(view, extent.group()).stream())
                .findFirst();
    }

    /** The extents of a file under other policies; of one that is written those that are sealed. */
    static List<Extent> otherPolicy(MetadataView view, Inode.File file, Policy policy) {
        return file.extents().stream()
                .filter(extent -> view.group(extent.group())
                        .filter(group -> !group.policy().equals(policy) && !(group.open() && file.open()))
                        .isPresent())
                .toList();
    }

    /** Returns whether bytes are behind the end of their group: power took them before it was recovered. */
    static boolean lost(MetadataView view, Extent extent) {
        return view.sealedGroup(extent.group())
                .filter(group -> extent.groupOffset() + extent.length() > group.length())
                .isPresent();
    }
}
