/**
 * Recent samples of each metric, bounded, so that a page has filled charts when it is opened.
 */
package io.ecfs.console.web.history;
