/**
 * The requests of clients and datanodes. {@code Namenode} is one namenode without network and disk: messages in,
 * answers out. It decides, proposes to the log, and answers with what applying gave; nothing that it decides is a fact
 * before.
 *
 * <pre>
 *   Namenode --mutations--&gt; MutationService: LeaderChoices, then the log
 *      |     --queries----&gt; NamespaceQueries: BatchLocate; ClusterQueries: ClusterReporter, LoadReporter, Problems,
 *      |                    PolicySums, SafeToStopCheck; both run on QueryExecutor
 *      |     --datanodes--&gt; DatanodeReports: Registration; reports go to io.ecfs.namenode.report
 *      |     --always-----&gt; health: UnderReplicationFeed, UnderReplicationCheck, HealthSurvey, SafeMode
 *      |     --monitoring-&gt; metrics: NamenodeGauges
 *      `---- while it leads: leader: Leader, one object a term
 *              lease           LeaseMonitor, GroupRecovery
 *              reconstruction  RepairRounds, RepairPlanner, RepairService
 *              rebalance       MovePlanner: drains, Balance, ChunkMover
 *              scrub           ParityScrubber, Suspects, Replacements
 *              deletion        DeletionService, OrphanService
 *   all of them stand on context (facts, reports, clock, log) and settings
 * </pre>
 *
 * <p>Owner thread: the namenode's event thread runs everything that decides; futures of the log come back to it.
 * Invariant: every service converges from the facts and the datanodes' raw reports; no step depends on one delivery.
 */
package io.ecfs.namenode.rpc;
