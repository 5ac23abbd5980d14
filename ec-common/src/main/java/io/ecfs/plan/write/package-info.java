/**
 * The cost of a write, after Kim et al., Cost analysis of erasure coding for exa-scale storage (2018), section 3: five
 * steps for each side that can encode, and from them a forecast of the rate with many stripes and clients under way,
 * its bottleneck, the bytes on the network and the space. Constants are read as text or calibrated from measured writes
 * by non-negative least squares. Pure: no clock, no network, no state; for any thread, and deterministic.
 *
 * <pre>
 *   WriteShape, Network --> CostTerm (amounts) x WriteConstants --> WriteCost --> WriteForecast
 *                                                   ^
 *                             WriteSample --> Calibration
 *
 *   Forwarding BY_CELL: ForwardingPath, what the distribution of a stripe waits for
 * </pre>
 */
package io.ecfs.plan.write;
