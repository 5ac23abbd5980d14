/** Tests of {@code io.ecfs.console.torture.check}. */
package io.ecfs.console.torture.check;
