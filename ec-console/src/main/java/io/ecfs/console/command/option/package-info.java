/** Options and lines of output that several commands share, and how a daemon's process runs until it is stopped. */
package io.ecfs.console.command.option;
