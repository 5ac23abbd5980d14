package io.ecfs.message.namespace;

import io.ecfs.layout.Policy;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * Files below a directory that were not modified for so long are rewritten under this policy.
 *
 * @param afterMillis not negative
 */
public record ConversionRule(long afterMillis, Policy to) {
    /** Rules of one directory at most. */
    public static final int MOST = 10;

    public ConversionRule {
        Objects.requireNonNull(to, "to");
        if (afterMillis < 0) {
            throw new IllegalArgumentException("a conversion after a negative time: " + afterMillis + " ms");
        }
    }

    public ConversionRule(Duration after, Policy to) {
        this(after.toMillis(), to);
    }

    public Duration after() {
        return Duration.ofMillis(afterMillis);
    }

    /**
     * Checks the rules of one directory.
     *
     * @throws IllegalArgumentException unless their ages grow and each names another policy than the one before
     */
    public static List<ConversionRule> checked(List<ConversionRule> rules) {
        if (rules.size() > MOST) {
            throw new IllegalArgumentException(
                    "a directory has at most " + MOST + " conversion rules, got " + rules.size());
        }
        for (int i = 1; i < rules.size(); i++) {
            ConversionRule before = rules.get(i - 1);
            ConversionRule rule = rules.get(i);
            if (before.afterMillis() >= rule.afterMillis()) {
                throw new IllegalArgumentException(
                        "conversion rules need growing ages: " + rule.after() + " comes behind " + before.after());
            }
            if (before.to().equals(rule.to())) {
                throw new IllegalArgumentException(
                        "the rule after " + rule.after() + " names " + rule.to() + ", as the one before it does");
            }
        }
        return List.copyOf(rules);
    }

    /** The policy of a file of this age; empty when no rule holds yet. */
    public static Optional<Policy> of(List<ConversionRule> rules, Duration age) {
        return rules.stream()
                .filter(rule -> rule.afterMillis() <= age.toMillis())
                .reduce((younger, older) -> older)
                .map(ConversionRule::to);
    }
}
