/** Figures in files, laid side by side, and on a page. */
package io.ecfs.bench.report;
