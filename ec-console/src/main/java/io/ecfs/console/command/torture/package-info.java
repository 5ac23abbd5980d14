/** {@code ecfs torture}, and the process of one of its clients. */
package io.ecfs.console.command.torture;
