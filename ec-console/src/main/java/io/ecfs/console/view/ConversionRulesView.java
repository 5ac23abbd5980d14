package io.ecfs.console.view;

import io.ecfs.config.Sizes;
import io.ecfs.layout.Policy;
import io.ecfs.message.FilePath;
import io.ecfs.message.namespace.ConversionRule;
import io.ecfs.message.namespace.NamespaceReply;
import java.util.List;

/**
 * The conversion rules of a directory, for operators and scripts.
 *
 * @param from the directory that has them; null where none has rules
 */
public record ConversionRulesView(String from, List<Rule> rules) {
    /** @param after as {@code 30d} */
    public record Rule(String after, String policy) {}

    public static ConversionRulesView of(NamespaceReply.ConversionRules reply) {
        return new ConversionRulesView(
                reply.from().map(FilePath::text).orElse(null),
                reply.rules().stream()
                        .map(rule ->
                                new Rule(Sizes.text(rule.after()), rule.to().name()))
                        .toList());
    }

    /**
     * Rules as users write them, each {@code AGE=POLICY}.
     *
     * @throws IllegalArgumentException for what is no rule, and for rules that contradict each other
     */
    public static List<ConversionRule> parse(List<String> texts) {
        return ConversionRule.checked(
                texts.stream().map(ConversionRulesView::rule).toList());
    }

    private static ConversionRule rule(String text) {
        int at = text.indexOf('=');
        if (at < 0) {
            throw new IllegalArgumentException("a rule is AGE=POLICY, as in 30d=rs-10-4-1024k, got '" + text + "'");
        }
        return new ConversionRule(Sizes.duration(text.substring(0, at)), Policy.parse(text.substring(at + 1)));
    }

    /** For people. */
    public List<String> lines() {
        return rules.isEmpty()
                ? List.of("no conversion rules")
                : rules.stream()
                        .map(rule -> "after " + rule.after() + " " + rule.policy() + "   (" + from + ")")
                        .toList();
    }
}
