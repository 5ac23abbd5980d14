/**
 * TLS of connections, and what proves that a peer is a daemon of the cluster: keys and certificates, contexts made of
 * them, and advice for the operator when a handshake fails. Immutable after the start; any thread.
 */
package io.ecfs.wire.tls;
