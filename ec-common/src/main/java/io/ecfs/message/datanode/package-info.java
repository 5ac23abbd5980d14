/**
 * Registration, heartbeats and chunk reports of a datanode to a namenode, and the orders and token keys that come back
 * (HDFS: DatanodeProtocol). The leader alone answers with orders.
 */
package io.ecfs.message.datanode;
