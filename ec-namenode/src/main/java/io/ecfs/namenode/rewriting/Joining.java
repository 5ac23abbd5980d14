package io.ecfs.namenode.rewriting;

import io.ecfs.layout.Extent;
import io.ecfs.layout.Policy;
import io.ecfs.namenode.group.GroupFacts;
import io.ecfs.namenode.namespace.inode.Inode;
import io.ecfs.namenode.state.MetadataView;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;

/**
 * The neighbouring extents of a file that are joined into one group: those that appends left. An extent is joined with
 * later ones only when they have at least a quarter of its bytes together, so that a byte is rewritten a logarithmic
 * number of times however many appends follow (as a log-structured merge tree does, O'Neil et al. 1996).
 */
final class Joining {
    /** So many extents are joined at once, however lately the file was written. */
    static final int MANY = 64;

    private static final int FACTOR = 4;

    /** Extents that are joined at most, those of earlier joins included. */
    private static final int MOST = 512;

    private Joining() {}

    /** Extents that lie one behind the other in one group. */
    private record Run(Policy policy, List<Extent> extents, long length) {
        boolean continues(Extent next) {
            Extent last = extents.get(extents.size() - 1);
            return next.group().equals(last.group())
                    && next.groupOffset() == last.groupOffset() + last.length()
                    && next.fileOffset() == last.fileEnd();
        }

        Run with(Extent next) {
            List<Extent> more = new ArrayList<>(extents);
            more.add(next);
            return new Run(policy, more, length + next.length());
        }
    }

    /** What is to be joined: at least two extents in different places, under one policy. */
    record Joined(Policy policy, List<Extent> extents, int places) {}

    /** Empty when nothing of a file is worth joining. */
    static Optional<Joined> of(MetadataView view, Inode.File file) {
        Deque<Run> joined = new ArrayDeque<>();
        long bytes = 0;
        int extents = 0;
        List<Run> runs = runs(view, file);
        for (int i = runs.size() - 1; i >= 0; i--) {
            Run run = runs.get(i);
            boolean apart = !joined.isEmpty()
                    && (!run.policy().equals(joined.getFirst().policy())
                            || run.length() > FACTOR * bytes
                            || run.extents().size() + extents > MOST
                            || run.length() + bytes > run.policy().groupBytes());
            if (apart && joined.size() > 1) {
                break;
            }
            if (apart) {
                joined.clear();
                bytes = 0;
                extents = 0;
            }
            if (run.length() <= run.policy().groupBytes() / 2) {
                joined.addFirst(run);
                bytes += run.length();
                extents += run.extents().size();
            } else if (joined.size() > 1) {
                break;
            } else {
                joined.clear();
                bytes = 0;
                extents = 0;
            }
        }
        return joined.size() < 2
                ? Optional.empty()
                : Optional.of(new Joined(
                        joined.getFirst().policy(),
                        joined.stream().flatMap(run -> run.extents().stream()).toList(),
                        joined.size()));
    }

    /** The sealed bytes of a file, without what follows the first group that is still written. */
    private static List<Run> runs(MetadataView view, Inode.File file) {
        List<Run> runs = new ArrayList<>();
        for (Extent extent : file.extents()) {
            int last = runs.size() - 1;
            if (last >= 0 && runs.get(last).continues(extent)) {
                runs.set(last, runs.get(last).with(extent));
                continue;
            }
            Optional<GroupFacts> group = view.sealedGroup(extent.group());
            if (group.isEmpty()) {
                break;
            }
            runs.add(new Run(group.get().policy(), List.of(extent), extent.length()));
        }
        return runs;
    }
}
