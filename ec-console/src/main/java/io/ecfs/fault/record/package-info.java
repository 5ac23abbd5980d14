/**
 * What an experiment observes: the recovery timeline from the namenodes' own history, the daemons' events by class, and
 * what the recovery cost the machine.
 *
 * <p>The history decides; events and counters only explain it. Events are read from the logs of the daemons, which
 * survive a SIGKILL. All daemons of an experiment share one clock.
 */
package io.ecfs.fault.record;
