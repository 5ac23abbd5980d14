/**
 * The bytes that a writer sends, in memory: {@link io.ecfs.client.write.stripe.Stripe} is filled, encoded and sealed,
 * {@link io.ecfs.client.write.stripe.OpenStripe} stores the one that a stream fills between its calls, and {@link
 * io.ecfs.client.write.stripe.Increment} is what an open stripe got since the last acknowledgement.
 *
 * <p>Owner thread: a stripe or an increment is owned by one thread at a time, first the filling thread (the user's, or
 * a codec worker for a group that is read back), then the client's owner thread; an open stripe may be ended by any
 * thread.
 *
 * <p>What always holds: a sealed stripe is never changed; each cell is taken at most once, and every buffer that was
 * not taken, and the reservation, are released once, when the stripe or the increment is closed. Nothing here knows
 * groups, datanodes or the writer.
 */
package io.ecfs.client.write.stripe;
