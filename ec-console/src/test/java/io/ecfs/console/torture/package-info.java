/** Tests of the torture as a whole. */
package io.ecfs.console.torture;
