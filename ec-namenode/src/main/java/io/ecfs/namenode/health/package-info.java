/**
 * Damage of groups, on every namenode: {@code UnderReplicationFeed} derives the damage from reports and from what log
 * entries change ({@code ChangeQueue}) and stores it in {@code UnderReplicationIndex}; {@code UnderReplicationCheck}
 * recounts it; {@code HealthSurvey} answers queries, and {@code SafeMode} waits for it when a term begins.
 *
 * <p>Owner thread: the namenode's event thread. Invariant: once a first pass is done, a recount finds exactly
 * the damage that the index has; nothing here repairs anything.
 */
package io.ecfs.namenode.health;
