/**
 * The bytes of one stripe on their way to the datanodes: {@code Stripe} takes the user's bytes, computes the parity and
 * gives out a cell for each chunk; {@code Increment} is what a flush adds of an open one; {@code OpenStripe} passes the
 * stripe that is being filled between the user's thread and the end of its stream.
 *
 * <p>Owner: one thread at a time, passed on with the reference. What always holds: each buffer is released once, by
 * the one that took its cell, or by the close of the stripe.
 */
package io.ecfs.client.write.stripe;
