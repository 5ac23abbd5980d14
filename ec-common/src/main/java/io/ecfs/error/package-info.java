/**
 * Failures of ECFS, of three kinds: a bug stops its component ({@link io.ecfs.error.Invariant}); an expected outcome is
 * a sealed result of the call; a failure that a caller outside must see is an {@link io.ecfs.error.EcfsException} whose
 * {@link io.ecfs.error.ErrorCode} says whether a retry helps.
 */
package io.ecfs.error;
