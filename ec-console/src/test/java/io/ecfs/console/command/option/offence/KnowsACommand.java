package io.ecfs.console.command.option.offence;

import io.ecfs.console.command.admin.AdminCommand;

/** Reaches from shared options to a command. */
public final class KnowsACommand {
    static boolean isAdmin(Object one) {
        return one instanceof AdminCommand;
    }
}
