/**
 * Rings of volumes that take turns in writing: where a ring is, what its volumes do, and what operators and clients
 * learn of it. Pure data.
 */
package io.ecfs.message.ring;
