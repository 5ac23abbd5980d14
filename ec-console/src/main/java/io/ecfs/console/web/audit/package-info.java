/**
 * Who did what: every action and login is a line of {@code audit.log}, every refusal one of {@code refused.log}, and
 * the latest are at hand.
 */
package io.ecfs.console.web.audit;
