/** Tests of {@code io.ecfs.torture.history}. */
package io.ecfs.torture.history;
