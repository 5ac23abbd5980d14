package io.ecfs.wire.frame;

/**
 * Event of the pipeline: the peer broke the rules of framing; the connection is being closed.
 *
 * @param tls what came instead of a frame is a record of TLS
 */
public record MalformedFrame(String reason, boolean tls) {
    public MalformedFrame(String reason) {
        this(reason, false);
    }
}
