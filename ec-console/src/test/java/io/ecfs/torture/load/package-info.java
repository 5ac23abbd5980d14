/** Tests of {@code io.ecfs.torture.load}. */
package io.ecfs.torture.load;
