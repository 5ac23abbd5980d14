/** Tests of what commands conclude. */
package io.ecfs.console.command;
