/** Tests of the torture as a whole. */
package io.ecfs.torture;
