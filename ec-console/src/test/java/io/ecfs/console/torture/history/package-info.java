/** Tests of {@code io.ecfs.console.torture.history}. */
package io.ecfs.console.torture.history;
