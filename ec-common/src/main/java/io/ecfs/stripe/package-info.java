/**
 * The bytes that a writer of a group sends, in memory: {@link io.ecfs.stripe.Stripe} is filled, encoded and sealed, and
 * {@link io.ecfs.stripe.Increment} is what an open stripe got since the last acknowledgement. Package {@code write}
 * sends them.
 *
 * <p>Owner thread: a stripe or an increment is owned by one thread at a time, first the filling thread (the user's, or
 * a codec worker for a group that is read back), then the writer's owner thread.
 *
 * <p>What always holds: a sealed stripe is never changed; each cell is taken at most once, and every buffer that was
 * not taken, and the reservation, are released once, when the stripe or the increment is closed. Nothing here knows
 * groups, datanodes or the writer.
 */
package io.ecfs.stripe;
