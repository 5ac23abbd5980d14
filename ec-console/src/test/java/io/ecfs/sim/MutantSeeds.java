package io.ecfs.sim;

/** Runs seeds until one fails, and prints which. */
final class MutantSeeds {
    static final String RESULT = "result: ";
    private static final int LONGEST_MESSAGE = 300;

    private MutantSeeds() {}

    /** @param args how many seeds at most */
    public static void main(String[] args) {
        int seeds = Integer.parseInt(args[0]);
        for (long seed = 0; seed < seeds; seed++) {
            try {
                Seeds.run(seed);
            } catch (AssertionError e) {
                String message = e.getMessage().lines().findFirst().orElse("");
                System.out.println(
                        RESULT + "killed by " + message.substring(0, Math.min(message.length(), LONGEST_MESSAGE)));
                System.exit(0);
            }
        }
        System.out.println(RESULT + "survived " + seeds + " seeds");
        System.exit(0);
    }
}
