/**
 * Samples of each metric, bounded, in memory and on disk, so that a page has filled charts when it is opened, of the
 * last hour, day or week.
 */
package io.ecfs.console.web.history;
