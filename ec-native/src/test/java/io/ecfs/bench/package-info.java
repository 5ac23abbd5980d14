/**
 * Benchmarks of the codecs: {@code ./ecfs jmh Codec}. {@link io.ecfs.bench.Jmh} measures coders side by side in one process,
 * ours and those they are held to.
 */
package io.ecfs.bench;
