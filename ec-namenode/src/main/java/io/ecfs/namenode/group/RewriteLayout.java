package io.ecfs.namenode.group;

import io.ecfs.layout.PackPlace;
import io.ecfs.layout.Policy;
import java.util.ArrayList;
import java.util.List;

/**
 * The places of a rewrite's pieces in the new group: a function of its policy and pieces alone, so that the leader that
 * orders a rewrite and every namenode that applies its commit have the same. The bytes of one file lie one behind the
 * other. In a group that several files share each of them begins where {@link PackPlace} says, and pieces that follow
 * one another in their file stay together.
 *
 * <pre>
 *   one file        | a0 | a1 | a2 |
 *   several files   | a0 | a1 |(gap)| b | (gap) | c      | d |
 *                   0                           cell boundary
 * </pre>
 *
 * Part of the log's format, as {@link PackPlace}: the log has the pieces of a rewrite, not their places, so these must
 * be the same in each release that applies its commit. A change needs a feature level.
 *
 * @param begins of the pieces, in their order
 * @param length of the group, gaps included
 */
public record RewriteLayout(List<Long> begins, long length) {
    public RewriteLayout {
        begins = List.copyOf(begins);
    }

    /** Of a whole group. */
    public static RewriteLayout of(Policy policy, List<RewritePiece> pieces) {
        return shared(pieces) ? packed(policy, 0, pieces) : contiguous(pieces);
    }

    /** Returns whether the group has bytes of several files. */
    public static boolean shared(List<RewritePiece> pieces) {
        return pieces.stream().map(RewritePiece::file).distinct().limit(2).count() > 1;
    }

    /**
     * Of further pieces of a group that several files share.
     *
     * @param end of the pieces before them, the last of which is another file's than the first of these
     */
    public static RewriteLayout packed(Policy policy, long end, List<RewritePiece> pieces) {
        List<Long> begins = new ArrayList<>(pieces.size());
        long at = end;
        for (int first = 0; first < pieces.size(); ) {
            int next = endOfRun(pieces, first);
            List<RewritePiece> run = pieces.subList(first, next);
            at = PackPlace.begin(policy, at, bytes(run));
            for (RewritePiece piece : run) {
                begins.add(at);
                at += piece.extent().length();
            }
            first = next;
        }
        return new RewriteLayout(begins, at);
    }

    private static RewriteLayout contiguous(List<RewritePiece> pieces) {
        List<Long> begins = new ArrayList<>(pieces.size());
        long at = 0;
        for (RewritePiece piece : pieces) {
            begins.add(at);
            at += piece.extent().length();
        }
        return new RewriteLayout(begins, at);
    }

    private static int endOfRun(List<RewritePiece> pieces, int first) {
        int next = first + 1;
        while (next < pieces.size() && pieces.get(next - 1).continuedBy(pieces.get(next))) {
            next++;
        }
        return next;
    }

    private static long bytes(List<RewritePiece> pieces) {
        return pieces.stream().mapToLong(piece -> piece.extent().length()).sum();
    }
}
