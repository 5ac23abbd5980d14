package io.ecfs.client.location;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** Bytes [from, to) of a file. */
public record Stretch(long from, long to) {
    public long bytes() {
        return to - from;
    }

    /** Its first bytes, at most so many. */
    public Stretch first(long most) {
        return most < bytes() ? new Stretch(from, from + most) : this;
    }

    /** The same bytes in file order, those that touch or overlap as one. */
    public static List<Stretch> joined(List<Stretch> stretches) {
        List<Stretch> joined = new ArrayList<>();
        stretches.stream().sorted(Comparator.comparingLong(Stretch::from)).forEach(next -> {
            int last = joined.size() - 1;
            if (last >= 0 && joined.get(last).to() >= next.from()) {
                Stretch before = joined.get(last);
                joined.set(last, new Stretch(before.from(), Math.max(before.to(), next.to())));
            } else {
                joined.add(next);
            }
        });
        return joined;
    }
}
