/**
 * The ports of {@link io.ecfs.env} over the real machine: system clocks, secure randomness, named daemon threads; and
 * what adapters of a disk do alike. Only those, a daemon's {@code main}, the client library's entry and tests of real
 * processes use it.
 */
package io.ecfs.env.real;
