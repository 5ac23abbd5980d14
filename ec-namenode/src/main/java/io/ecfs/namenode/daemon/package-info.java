/**
 * A namenode as a daemon: {@link io.ecfs.namenode.daemon.NamenodeDaemon} joins the core to its real log, store, network
 * and monitoring, and takes them apart again in the opposite order. Many may live in one process.
 */
package io.ecfs.namenode.daemon;
