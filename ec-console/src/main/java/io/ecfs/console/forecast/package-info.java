/**
 * Forecasts of writes for operators: the cost model of {@code io.ecfs.plan.write} with constants from resources or from
 * a file of measured writes, as text for a terminal and as JSON whose keys are an interface; and the files of a cluster
 * that {@code io.ecfs.advise} is asked about.
 */
package io.ecfs.console.forecast;
