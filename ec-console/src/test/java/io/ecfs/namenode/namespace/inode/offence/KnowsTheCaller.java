package io.ecfs.namenode.namespace.inode.offence;

import io.ecfs.namenode.command.CallerIdentity;

/** Reaches from rows to who asks for them. */
public final class KnowsTheCaller {
    static String user(CallerIdentity caller) {
        return caller.user();
    }
}
