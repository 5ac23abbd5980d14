/** Error replies of the console, in one format (RFC 9457). */
package io.ecfs.console.web.problem;
