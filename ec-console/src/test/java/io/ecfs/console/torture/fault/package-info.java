/** Tests of {@code io.ecfs.console.torture.fault}. */
package io.ecfs.console.torture.fault;
