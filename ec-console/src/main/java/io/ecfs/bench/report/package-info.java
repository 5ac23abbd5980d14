/**
 * Figures and what people and scripts see of them. A {@link io.ecfs.bench.report.Figure} is one measured value with its
 * parameters, one line of JSON in a file; it has the form of the HDFS peer's runs, so that one script reads both.
 * {@link io.ecfs.bench.report.FigureKey} says which figures are repetitions of one thing, also across the two systems.
 */
package io.ecfs.bench.report;
