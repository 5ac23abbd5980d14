package io.ecfs.wire;

/** Event of the pipeline: the peer broke the rules of framing; the connection is being closed. */
record MalformedFrame(String reason) {}
