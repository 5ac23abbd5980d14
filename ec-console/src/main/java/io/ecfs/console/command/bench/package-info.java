/** {@code ecfs bench} and {@code ecfs soak}: their options, what they run and how their figures are shown. */
package io.ecfs.console.command.bench;
