package io.ecfs.namenode.entry;

import io.ecfs.message.namespace.NamespaceRequest.Mutation;
import io.ecfs.namenode.command.Command;
import io.ecfs.namenode.command.CommandResult;
import io.ecfs.namenode.form.Forms;

/**
 * The number of every record that the log carries: commands from 1, their outcomes from 64, the calls within commands
 * from 128. A number keeps its record for ever: one that goes leaves a hole, one whose meaning changes takes a new
 * number. A golden file in the tests holds the table.
 */
public final class LogKinds {
    public static final Forms<Command> COMMANDS = new Forms<>("command", CommandForms.ALL);
    public static final Forms<CommandResult> OUTCOMES = new Forms<>("outcome", AppliedForms.ALL);
    public static final Forms<Mutation> MUTATIONS = MutationForms.MUTATIONS;

    private LogKinds() {}
}
