/**
 * Views of a cluster for operators, read from the namenodes through a client: as text for a terminal, and as JSON whose
 * keys are an interface, the same for {@code --json} and for the web console, so that no number has two sources.
 */
package io.ecfs.console.view;
