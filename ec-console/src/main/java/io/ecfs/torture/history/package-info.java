/**
 * Histories of the clients of a torture: {@link io.ecfs.torture.history.Call}s with the times of their invocation and
 * return.
 *
 * <pre>
 *   client process ── CallJournal ── DIR/calls/NAME.jsonl   a line before each call and one after it
 *                                         │
 *                     HistoryFile.merge ──┴── FILE          one line a call: process, call, arguments, times, result
 *                                               └── KnossosHistory ── FILE.edn, for Knossos and Porcupine
 * </pre>
 *
 * Invariant: a call that has an effect has a line before it, so a client that is killed leaves an unknown
 * outcome and never an unrecorded one; times of all processes come from the monotonic clock of one machine.
 */
package io.ecfs.torture.history;
