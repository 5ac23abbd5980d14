package io.ecfs.offence.right;

import io.ecfs.offence.left.Left;

/** The other half of a cycle of packages. */
public record Right(Left left) {}
