/**
 * Whom faults hurt: sets of victims that a rule of the profile allows and the budget covers, by where chunks really
 * lie.
 *
 * <pre>
 *   Placement (groups, chunks, volumes) --+--> Candidates --> legal sets --> one of them
 *   VictimRule ---------------------------+        ^
 *   FaultBudget (what is away already) ------------'
 * </pre>
 *
 * <p>Always true: under a strict budget no set is chosen that leaves a group not decodable. Pure: the same placement
 * and seed, the same victims.
 */
package io.ecfs.fault.victim;
