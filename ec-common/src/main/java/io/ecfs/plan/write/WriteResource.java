package io.ecfs.plan.write;

/** What writes compete for. */
public enum WriteResource {
    CLIENT_CPU("client CPU", false),
    /** Bytes that leave the client. */
    CLIENT_NIC("client NIC", false),
    MASTER_CPU("master CPU", true),
    /** Bytes that leave the master: at least as many as come in. */
    MASTER_NIC("master NIC", true),
    /** Slaves' work on cells. */
    SLAVE_CPU("slave CPU", true),
    /** Bytes that come in at the datanodes, as slaves and as masters. */
    SLAVE_NIC("slave NIC", true),
    SLAVE_DISK("slave disk", true),
    NAMENODE("namenode", false);

    private final String words;
    private final boolean ofDatanodes;

    WriteResource(String words, boolean ofDatanodes) {
        this.words = words;
        this.ofDatanodes = ofDatanodes;
    }

    /** As people read it. */
    public String words() {
        return words;
    }

    /** True when more datanodes would have more of it. */
    public boolean ofDatanodes() {
        return ofDatanodes;
    }
}
