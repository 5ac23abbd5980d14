/**
 * The settings of a namenode, one record for each service that has some; each checks its values when it is made.
 * {@code RepairThrottles} are those of them that operators change while the cluster runs. Pure data, for use by any
 * thread. The names of the components are the names of the configuration file.
 */
package io.ecfs.namenode.settings;
