/** What operators and developers start: the ecfs command line. */
package io.ecfs.console;
