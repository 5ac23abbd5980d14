/** What a browser or a script is told when something is not done: one form for all of the console (RFC 9457). */
package io.ecfs.console.web.problem;
