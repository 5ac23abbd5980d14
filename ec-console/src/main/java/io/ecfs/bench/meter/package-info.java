/**
 * Cost of a run: {@link io.ecfs.bench.meter.Meter} takes a {@link io.ecfs.bench.meter.Snapshot} before and after,
 * {@link io.ecfs.bench.meter.Cost} is the difference.
 *
 * <pre>
 *   /proc/PID/stat           CPU time, user and system (ticks of 10 ms)
 *   /proc/PID/task/TID/status  context switches, voluntary and not, added up over threads
 *   /proc/PID/status         peak of the resident memory, set back before each part where the kernel lets us
 *   /proc/PID/io             bytes that the process caused to be read from and written to disks
 *   /proc/net/dev, diskstats loopback and disks of the whole machine
 *   Metering (wire)          what each daemon exchanged with clients, datanodes, namenodes
 *   MXBeans                  heap and direct memory of this process
 * </pre>
 *
 * <p>Linux adds the switches of a thread that ended to its process, readable by getrusage only, which Java does not have.
 * So a thread that ends during a part counts up to its beginning; the threads of a workload live until after the second
 * snapshot.
 *
 * <p>Daemons on other machines give their traffic and nothing else. Daemons in this process share one row with the
 * client.
 */
package io.ecfs.bench.meter;
