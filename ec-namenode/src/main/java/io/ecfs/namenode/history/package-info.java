/**
 * History of the cluster: the replicated history of events, and the incidents that they add up to. {@link
 * io.ecfs.namenode.history.IncidentFold} is the arithmetic, a pure function of an incident and an event; {@link
 * io.ecfs.namenode.history.History} stores its results in rows that change only while a log entry is applied, on the
 * log's thread; {@link io.ecfs.namenode.history.RingChange} is the event of a changed ring. Invariant: events,
 * incidents and the traced chunks of an incident are bounded.
 */
package io.ecfs.namenode.history;
