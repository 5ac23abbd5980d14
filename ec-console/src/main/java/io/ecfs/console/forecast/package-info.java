/**
 * Forecasts of writes for operators: the cost model of {@code io.ecfs.plan.write} with constants from resources or from
 * a file of measured writes, as text for a terminal and as JSON whose keys are an interface.
 */
package io.ecfs.console.forecast;
