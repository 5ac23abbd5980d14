/** Counters of processes, against work that is known. */
package io.ecfs.bench.meter;
