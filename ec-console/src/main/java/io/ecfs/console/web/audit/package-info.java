/** Who did what: every action, login and refusal is a line of {@code audit.log}, and the latest are at hand. */
package io.ecfs.console.web.audit;
