/**
 * The figures of Koh et al. (Exploring fault-tolerant erasure codes for scalable all-flash array clusters, 2018): what
 * the paper measures of Ceph, what this file system shall reach beside it, and what to run for that. All of it is pure;
 * {@code docs/koh.md} has the sections of the paper behind each rule.
 *
 * <pre>
 *   figures.csv, goals.csv --> KohFigures --> KohPlan --> stages
 *   components.csv --> Mix --> MixDraws --> Request --> CephModel --> CephTraffic
 *   claims.csv --> CephClaim --> CephClaims: the paper's numbers beside what its rules give
 * </pre>
 *
 * The numbers of the paper and our targets are resources. A number that follows from no rule that the paper states is
 * shown as that, and is no target.
 */
package io.ecfs.bench.koh;
