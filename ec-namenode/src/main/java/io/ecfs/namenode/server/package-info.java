/**
 * The namenode: answers clients and datanodes, makes the leader's choices, and runs the leader's services. It decides, proposes to the log,
 * and answers with what applying gave; nothing it decides is a fact before. Every service converges from the facts and the datanodes' raw
 * reports: no step depends on one delivery.
 *
 * <pre>
 *   Namenode --clients--&gt; Calls, Locator, ClusterReporter, Problems, StopCheck
 *      |     --datanodes-&gt; DatanodeReports: Registration; what they say goes to io.ecfs.namenode.report
 *      |     --always--&gt; LedgerFeed: notes damage from reports and from what entries change (ChangeQueue); LedgerCheck recounts it,
 *      |                   HealthSurvey answers what is damaged
 *      `---- while it leads: Leader, one object a term
 *              files      LeaseMonitor, GroupRecovery, DeletionService
 *              chunks     RepairRounds --&gt; RepairPlanner (what HealthSurvey lacks), then Moves (drains, Balance, ChunkMover)
 *                         both --&gt; RepairService: ChunkRepair, RepairTargets, RepairSources
 *                         OrphanService;  ParityRounds
 *              datanodes  DutyWatch, DrainProgress;  OrderBook and OrdersSoon tell them what to do
 *              history    IncidentWatch --&gt; Chronicle
 *              cluster    SafeMode, KeyRoller, FactsComparison
 *   all of them look at Surroundings: clock, facts, Topology, reports; and write through the Proposer
 * </pre>
 *
 * <p>Owner thread: all of {@link io.ecfs.namenode.server.Namenode} and its services run on one scheduler; futures of the log come back to it.
 */
package io.ecfs.namenode.server;
