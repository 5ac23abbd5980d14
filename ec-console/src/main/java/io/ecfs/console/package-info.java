/** The ecfs command line. */
package io.ecfs.console;
