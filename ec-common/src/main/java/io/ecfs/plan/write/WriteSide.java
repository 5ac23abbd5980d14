package io.ecfs.plan.write;

/** The machine that computes the parity of one write; what files are set to is {@link io.ecfs.layout.EncodingSide}. */
public enum WriteSide {
    /** The client encodes and sends a cell to each of the n datanodes of a group. */
    CLIENT("client"),
    /** One datanode, the master, gets the data, encodes, keeps one cell and sends the others to n - 1 slaves. */
    MASTER("master");

    private final String word;

    WriteSide(String word) {
        this.word = word;
    }

    /** As people write it. */
    public String word() {
        return word;
    }
}
