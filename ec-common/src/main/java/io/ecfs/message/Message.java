package io.ecfs.message;

/** What the head of a frame holds. Each conversation seals its own part. */
public interface Message {}
