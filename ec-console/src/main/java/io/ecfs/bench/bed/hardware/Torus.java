package io.ecfs.bench.bed.hardware;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Nodes in a grid that is closed in both directions, each joined to its four neighbours, with routes first along x and
 * then along y, the shorter way round (dimension order). Machine i is at node i modulo the nodes; machines of one node
 * have NICs of their own and share its links.
 */
public final class Torus extends Topology {
    private final Size size;
    private final Map<Integer, Link> links = new HashMap<>(); // by node and direction

    /** @param hopNanos latency from one link to the next */
    public Torus(Agenda time, long hopNanos, int machines, Size size) {
        super(time, hopNanos, machines);
        this.size = size;
    }

    /** Nodes in both directions. */
    public record Size(int width, int height) {
        private static final int MOST = 1000;

        public Size {
            if (width < 1 || height < 1 || width > MOST || height > MOST) {
                throw new IllegalArgumentException("a torus has 1x1 to " + MOST + "x" + MOST + " nodes, got " + width
                        + "x" + height + "; nearest is " + Math.max(1, Math.min(MOST, width)) + "x"
                        + Math.max(1, Math.min(MOST, height)));
            }
        }

        int nodes() {
            return width * height;
        }
    }

    @Override
    List<Link> between(int from, int to) {
        List<Link> path = new ArrayList<>();
        int node = from % size.nodes();
        int end = to % size.nodes();
        int x = node % size.width();
        int y = node / size.width();
        int right = Math.floorMod(end % size.width() - x, size.width());
        int stepX = right <= size.width() - right ? 1 : -1;
        for (int left = Math.min(right, size.width() - right); left > 0; left--) {
            path.add(link(x, y, stepX > 0 ? 0 : 1));
            x = Math.floorMod(x + stepX, size.width());
        }
        int up = Math.floorMod(end / size.width() - y, size.height());
        int stepY = up <= size.height() - up ? 1 : -1;
        for (int left = Math.min(up, size.height() - up); left > 0; left--) {
            path.add(link(x, y, stepY > 0 ? 2 : 3));
            y = Math.floorMod(y + stepY, size.height());
        }
        return path;
    }

    private Link link(int x, int y, int direction) {
        return links.computeIfAbsent((y * size.width() + x) * 4 + direction, key -> new Link());
    }
}
