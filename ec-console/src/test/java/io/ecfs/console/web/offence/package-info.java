/** Offenders against the architecture, each for the one rule that must find it. */
package io.ecfs.console.web.offence;
