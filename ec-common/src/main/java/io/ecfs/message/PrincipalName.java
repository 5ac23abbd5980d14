package io.ecfs.message;

import java.util.regex.Pattern;

/**
 * Rule for the names of users and groups: short, and of characters without a meaning to a log, a shell or a terminal.
 * Unix names, names with a realm ({@code hdfs/host@REALM}) and of machines ({@code host$}) fit. It applies to
 * greetings, groups, owners and entries of lists.
 */
public final class PrincipalName {
    public static final int MOST_CHARACTERS = 64;

    /** For refusals, which repeat no name. */
    public static final String RULE =
            "1 to " + MOST_CHARACTERS + " characters of A-Z a-z 0-9 . _ @ / $ and, but first, -";

    private static final Pattern FORM =
            Pattern.compile("[A-Za-z0-9._@/$][A-Za-z0-9._@/$-]{0," + (MOST_CHARACTERS - 1) + "}");

    private PrincipalName() {}

    public static boolean valid(String name) {
        return name.length() <= MOST_CHARACTERS && FORM.matcher(name).matches();
    }
}
