package io.ecfs.bench.koh;

/**
 * One operation of a mix.
 *
 * @param pattern of the position; of metadata it means nothing
 */
public record MixOperation(MixComponent component, Request request, AccessPattern pattern) {}
