/** Tests of {@code io.ecfs.torture.check}. */
package io.ecfs.torture.check;
