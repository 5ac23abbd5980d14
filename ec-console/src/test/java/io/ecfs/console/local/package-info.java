/** Plans and files of local clusters, without a cluster. */
package io.ecfs.console.local;
