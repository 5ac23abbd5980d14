package io.ecfs.offence.left;

import io.ecfs.offence.right.Right;

/** One half of a cycle of packages. */
public record Left(Right right) {}
