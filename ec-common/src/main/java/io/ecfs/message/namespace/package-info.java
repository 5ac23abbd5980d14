/**
 * Requests of clients and operators to the namenode, and their replies: names, leases, groups, policies, permissions,
 * and the commands of operators (HDFS: ClientProtocol). A {@code Mutation} goes through the replicated log; everything
 * else is a query.
 */
package io.ecfs.message.namespace;
