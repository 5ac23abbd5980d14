/** Figures in files, laid side by side, and on a page. */
package io.ecfs.console.bench.report;
