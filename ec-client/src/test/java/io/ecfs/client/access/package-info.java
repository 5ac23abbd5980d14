/** Tests of what a client knows of costs, and of the plans it keeps. */
package io.ecfs.client.access;
