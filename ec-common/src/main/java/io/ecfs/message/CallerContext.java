package io.ecfs.message;

import java.util.Optional;

/**
 * What a client's greeting says of its program, and of the person that it acts for (HDFS: CallerContext):
 * {@code client cli}, {@code client cli sudo:ann}, {@code client console:ann}. A claim, not a proof.
 *
 * @param text as in the greeting
 */
public record CallerContext(String text) {
    /** Characters of a context that is stored, at most (HDFS: {@code hadoop.caller.context.max.size}). */
    public static final int MOST_STORED = 128;

    private static final String CLIENT = "client ";
    private static final String CONSOLE = "console:";
    private static final String SUDO = "cli sudo:";

    /** Without the word that every client begins with. */
    private String program() {
        return text.startsWith(CLIENT) ? text.substring(CLIENT.length()) : text;
    }

    /** The account of the console, or the person behind sudo, in visible characters of ASCII; empty for neither. */
    public Optional<String> person() {
        String program = program();
        for (String mark : new String[] {CONSOLE, SUDO}) {
            if (program.startsWith(mark)) {
                String name = program.substring(mark.length());
                boolean plain = name.chars().allMatch(c -> c > ' ' && c <= '~');
                return plain && !name.isEmpty() ? Optional.of(name) : Optional.empty();
            }
        }
        return Optional.empty();
    }

    /** {@code console}, {@code cli} or what else the program is called. */
    public String via() {
        String program = program();
        int end = program.indexOf(program.startsWith(CONSOLE) ? ':' : ' ');
        return end < 0 ? program : program.substring(0, end);
    }

    /** The person, and the user that the namenode checked, where they differ. */
    public String who(String user) {
        return person().filter(person -> !person.equals(user))
                .map(person -> person + " as " + user)
                .orElse(user);
    }
}
