package io.ecfs.wire;

/**
 * Event of the pipeline: the peer broke the rules of framing; the connection is being closed.
 *
 * @param tls what came instead of a frame is a record of TLS
 */
record MalformedFrame(String reason, boolean tls) {
    MalformedFrame(String reason) {
        this(reason, false);
    }
}
