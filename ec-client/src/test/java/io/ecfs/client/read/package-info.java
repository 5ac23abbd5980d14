/** Tests of what reads know of latency. */
package io.ecfs.client.read;
