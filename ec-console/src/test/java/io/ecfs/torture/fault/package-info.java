/** Tests of {@code io.ecfs.torture.fault}. */
package io.ecfs.torture.fault;
