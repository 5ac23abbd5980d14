/**
 * The operators' console: a Spring Boot server that asks the namenodes what {@code ecfs admin} asks, by the same
 * protocol and with the same records ({@link io.ecfs.console.view}), and follows the leader as any client. It keeps no
 * truth of its own: what it has in memory are the latest view, the latest events and a bounded number of samples for
 * the charts; on disk the audit log.
 *
 * <pre>
 *   browser --HTTP--> security --> api --EcfsClient--> namenodes
 *             ^                     ^
 *             `---SSE--- live (Watch: one look a second for all) --> history
 * </pre>
 */
package io.ecfs.console.web;
