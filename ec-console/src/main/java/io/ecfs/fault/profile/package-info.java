/**
 * What an experiment is: the cluster, its load, the faults and whom they hurt, as an operator writes it down in YAML or
 * JSON. Each record refuses values that cannot be, with the nearest that can; what depends on the kernel or on where
 * chunks lie is checked when the experiment is prepared.
 *
 * <p>Pure data.
 */
package io.ecfs.fault.profile;
