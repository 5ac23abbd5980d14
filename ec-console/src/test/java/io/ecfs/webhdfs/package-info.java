/** WebHDFS over the wire, call by call; Hadoop's suites for it are in {@code io.ecfs.console.contract}. */
package io.ecfs.webhdfs;
