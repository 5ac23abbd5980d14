/**
 * Measures what a directory's device gives reads, writes and both at once, past the page cache, and fits the model of
 * {@code io.ecfs.bench.bed.erails.FlashDevice} to it. The file is without a name as soon as it is open, so that it goes
 * with the process however that ends.
 *
 * <pre>
 *   DeviceBench --parts--> DirectFile (O_DIRECT)          DeviceFit --> MeasuredMedium (a file of JSON)
 *        '--> DeviceMeasurement -------------------------------^
 * </pre>
 */
package io.ecfs.bench.device;
