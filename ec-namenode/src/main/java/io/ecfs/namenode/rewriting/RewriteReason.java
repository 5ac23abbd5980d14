package io.ecfs.namenode.rewriting;

/** Reasons of rewrites. */
enum RewriteReason {
    CONVERSION("conversion", "converted"),
    RULE("rule", "converted by a rule"),
    CLEANING("cleaning", "cleaned"),
    JOINING("joining", "joined"),
    OTHER_RIGHTS("other_rights", "moved out of a pack");

    private final String label;
    private final String text;

    RewriteReason(String label, String text) {
        this.label = label;
        this.text = text;
    }

    /** As metrics show it. */
    String label() {
        return label;
    }

    /** As events show it. */
    String text() {
        return text;
    }
}
