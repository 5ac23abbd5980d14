/**
 * The ports of {@link io.ecfs.env} over the real machine: system clocks, secure randomness, named daemon threads. Only a daemon's
 * {@code main}, the client library's entry and tests of real processes use it.
 */
package io.ecfs.env.real;
