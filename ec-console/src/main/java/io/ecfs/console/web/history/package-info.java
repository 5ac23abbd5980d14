/**
 * What the charts show of the past: a bounded number of samples of each number, so that a page that is opened late has
 * its charts filled.
 */
package io.ecfs.console.web.history;
