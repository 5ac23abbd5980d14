package io.ecfs.namenode.rewriting;

/** Reasons of rewrites, as events and metrics show them. */
enum RewriteReason {
    CONVERSION("converted"),
    RULE("converted by a rule"),
    CLEANING("cleaned"),
    JOINING("joined"),
    OTHER_RIGHTS("moved out of a pack");

    private final String text;

    RewriteReason(String text) {
        this.text = text;
    }

    String text() {
        return text;
    }
}
