/**
 * The audit log: every action and login is a line of {@code audit.log}, every rejection one of {@code refused.log}, and
 * the latest are in memory.
 */
package io.ecfs.console.web.audit;
