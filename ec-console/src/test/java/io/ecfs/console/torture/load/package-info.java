/** Tests of {@code io.ecfs.console.torture.load}. */
package io.ecfs.console.torture.load;
