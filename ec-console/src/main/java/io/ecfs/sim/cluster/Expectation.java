package io.ecfs.sim.cluster;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What may be found under one path, as far as the only client that writes there can know: one of several possible
 * outcomes. A call whose answer did not arrive leaves both its outcomes possible; an answer leaves one.
 */
public record Expectation(List<Outcome> outcomes) {
    public Expectation {
        outcomes = List.copyOf(outcomes);
    }

    /** One possibility. */
    public sealed interface Outcome {
        /** No file. */
        record Absent() implements Outcome {}

        /**
         * The beginning of the contents of {@code tag}.
         *
         * @param least bytes that were acknowledged
         * @param most bytes that were ever written
         * @param closed its writer closed it
         */
        record Written(long tag, int least, int most, boolean closed) implements Outcome {
            static Written open(long tag, int least, int most) {
                return new Written(tag, least, most, false);
            }

            boolean exact() {
                return least == most;
            }
        }
    }

    static Expectation absent() {
        return new Expectation(List.of(new Outcome.Absent()));
    }

    static Expectation of(Outcome outcome) {
        return new Expectation(List.of(outcome));
    }

    Expectation or(Outcome outcome) {
        List<Outcome> more = new ArrayList<>(outcomes);
        if (!more.contains(outcome)) {
            more.add(outcome);
        }
        return new Expectation(more);
    }

    public boolean mayBeAbsent() {
        return outcomes.contains(new Outcome.Absent());
    }

    /** The closed file that is certainly there, if it is known for certain. */
    public Optional<Outcome.Written> certain() {
        return outcomes.size() == 1 && outcomes.get(0) instanceof Outcome.Written file && file.closed() && file.exact()
                ? Optional.of(file)
                : Optional.empty();
    }

    /** Bytes that are there in any case, if there is a file. */
    public int least() {
        return outcomes.stream()
                .filter(Outcome.Written.class::isInstance)
                .mapToInt(outcome -> ((Outcome.Written) outcome).least())
                .min()
                .orElse(0);
    }

    /** The possible outcome that these bytes of a whole file are. */
    public Optional<Outcome.Written> match(byte[] bytes) {
        return outcomes.stream()
                .filter(Outcome.Written.class::isInstance)
                .map(Outcome.Written.class::cast)
                .filter(file -> file.least() <= bytes.length
                        && bytes.length <= file.most()
                        && Contents.firstDifference(file.tag(), bytes) < 0)
                .findFirst();
    }

    /** For messages: how the bytes differ from what they might be. */
    public String describe(byte[] bytes) {
        StringBuilder text = new StringBuilder();
        for (Outcome outcome : outcomes) {
            if (outcome instanceof Outcome.Written file) {
                int at = Contents.firstDifference(file.tag(), bytes);
                text.append(at < 0 ? "that are of " : "that differ at " + at + " from ")
                        .append(file);
            }
        }
        return text.toString();
    }
}
