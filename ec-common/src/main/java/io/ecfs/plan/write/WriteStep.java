package io.ecfs.plan.write;

/** The five steps into which Kim et al. divide a write (formula 1). */
public enum WriteStep {
    /** Client overhead: CT + MT + DT (formula 2). */
    CO("client overhead"),
    /** Work in the encoding datanode that is none of the other steps. */
    MP("master process"),
    PC("parity calculation"),
    /** From the first cell sent to the last answer, without the slave's time (formula 4). */
    DD("data distribution"),
    /** The time of the slave that answers last. */
    SP("slave process");

    private final String words;

    WriteStep(String words) {
        this.words = words;
    }

    /** The paper's name. */
    public String words() {
        return words;
    }
}
