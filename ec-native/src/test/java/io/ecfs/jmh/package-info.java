/**
 * Benchmarks of the codecs: {@code ./ecfs jmh Codec}. {@link io.ecfs.jmh.Jmh} measures coders side by side in one
 * process, ours and those they are held to. The benchmarks of other pieces stand beside the tests of those pieces
 * ({@code *Benchmark}).
 */
package io.ecfs.jmh;
