/**
 * Alerts that the console sends by itself: one POST of a JSON document when an incident opens, changes its severity or
 * heals, and when the verdict on the cluster changes.
 *
 * <pre>
 *   Watch: Situation of each poll --> Settling --> Sender of each webhook
 *                                                    Changes: Situation minus Ledger --> queue --> Post --> Ledger
 * </pre>
 *
 * <p>A {@link io.ecfs.console.web.webhook.Ledger} says what a receiver has acknowledged and is on disk. What is queued
 * follows from it and from the cluster's own history. So a restart repeats nothing that was acknowledged and leaves out
 * nothing that happened meanwhile. A delivery whose acknowledgement was lost is repeated with the same id.
 */
package io.ecfs.console.web.webhook;
