package io.ecfs.namenode.namespace.inode.offence;

import io.ecfs.namenode.command.Caller;

/** Reaches from rows to who asks for them. */
public final class KnowsTheCaller {
    static String user(Caller caller) {
        return caller.user();
    }
}
