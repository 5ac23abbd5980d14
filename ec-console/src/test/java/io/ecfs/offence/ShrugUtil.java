package io.ecfs.offence;

/** A name that says nothing. */
public final class ShrugUtil {}
