/**
 * Predicted and measured recoveries: what this machine can, measured, and the model of {@code io.ecfs.advise} with
 * these numbers beside recoveries of real clusters on it.
 *
 * <pre>
 *   MachineSpeed (disk, access, loopback) --+
 *                                           +--> Calibration --> RecoveryForecast --+
 *   OneLoss, two for training, FaultLab ----+                                       +--> CheckedRecovery
 *   OneLoss, held out, FaultLab ------------------> ExperimentResult ---------------+
 * </pre>
 *
 * <p>Always true: no configuration that calibrates is one that is checked.
 */
package io.ecfs.fault.forecast;
