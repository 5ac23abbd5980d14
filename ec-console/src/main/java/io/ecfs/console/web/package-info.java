/**
 * The operators' console: a Spring Boot server that sends the requests of {@code ecfs admin} to the namenodes, by the
 * same protocol and with the same records ({@link io.ecfs.console.view}), and follows the leader as any client. It owns
 * no state of the cluster: in memory are the latest view, the latest events and a bounded number of samples for the
 * charts; on disk the audit log.
 *
 * <pre>
 *   browser --HTTP--> security --> api --EcfsClient--> namenodes
 *             ^                     ^
 *             `---SSE--- live (Watch: one poll a second for all) --> history
 * </pre>
 */
package io.ecfs.console.web;
