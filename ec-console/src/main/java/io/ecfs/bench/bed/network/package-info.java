/**
 * Limited network links for real daemons of one process: each machine (a client, a datanode, a namenode) has an egress
 * and an ingress of one rate, full duplex, and every message takes a latency. Only the links are a model, the one of
 * {@link io.ecfs.bench.bed.hardware.Star}, by the clock in place of virtual time; messages themselves go over loopback
 * when their last byte would have arrived.
 *
 * <pre>
 *   call --> NicCaller --request--> LimitedNetwork (egress, latency, ingress) --> the real Caller
 *   result <------------answer----- LimitedNetwork <---------------------------- its answer
 *                                        ^
 *                                    LinkTimer, one thread: delivers at deadlines
 * </pre>
 *
 * Messages between two machines keep their order. A payload is owned by the message until it is delivered, and
 * is released in any case.
 */
package io.ecfs.bench.bed.network;
