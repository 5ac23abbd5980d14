/**
 * What a leader's log appenders do beyond Ratis's: they go back to followers that lost their disk, know the checkpoints
 * on disk, and are shown to {@link io.ecfs.namenode.log.ratis.appender.LeaderProof}, which proves that a majority still
 * acknowledges this leader.
 *
 * <p>Runs on Ratis's threads. What always holds: a proof counts only acknowledgements of messages that were built after
 * it was asked for.
 */
package io.ecfs.namenode.log.ratis.appender;
