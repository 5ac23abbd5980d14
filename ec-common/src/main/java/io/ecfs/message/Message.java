package io.ecfs.message;

/** Content of the head of a frame. Each conversation seals its own part. */
public interface Message {}
