/** Offenders against the architecture, each kept for the one rule that must find it. Nothing here is ever run. */
package io.ecfs.offence;
