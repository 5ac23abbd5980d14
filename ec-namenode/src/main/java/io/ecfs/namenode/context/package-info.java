/**
 * What every service of the namenode is built on: {@code NamenodeContext} with time, scheduler, settings and facts,
 * {@code ClusterView} with the cluster as facts and reports show it, and the ways out: the {@code Proposer} to the log,
 * the {@code EventRecorder} to the history, the {@code TokenIssuer} and the {@code Locator} to clients.
 *
 * <p>Owner thread: the namenode's event thread. What always holds: nothing here decides or knows a service; a fact
 * changes only when the log applies what was proposed; an answer about the cluster is computed from the facts and the
 * reports of this moment and is not stored.
 */
package io.ecfs.namenode.context;
