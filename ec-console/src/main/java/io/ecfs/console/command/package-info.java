/**
 * The {@code ecfs} command: each command below it reads its arguments, asks the cluster through the client library, and
 * prints. Exit codes: 0 done, 1 failed, 2 wrong usage, and of a torture 3 undecided. Errors are one line on standard
 * error; {@code --debug} adds the stack trace.
 */
package io.ecfs.console.command;
