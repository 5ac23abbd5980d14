/**
 * Parts of a run that are timed: {@link io.ecfs.bench.part.TimedParts} makes everything quiet, runs one, and says what
 * it cost. For one thread.
 */
package io.ecfs.bench.part;
