/**
 * Hadoop's own contract suites, from its test jars, on erasure-coded directories. None is skipped or overridden to
 * pass; what cannot apply is listed with its reason in docs/hadoop.md.
 *
 * <p>All classes of a JVM share one cluster ({@link io.ecfs.console.contract.SharedCluster}). The suites delete and
 * rename what is below the root of the file system they are given, so that
 * {@link io.ecfs.console.contract.SharedCluster#guarded} lets them have nothing but ours: {@code ecfs://}, and this
 * cluster's own {@code webhdfs://}, where one test says what Hadoop's client throws instead (docs/webhdfs.md).
 *
 * <p>They run in an execution of Surefire of their own, by the tag {@code contract}: Hadoop's suites are compiled for
 * an older AssertJ.
 */
package io.ecfs.console.contract;
