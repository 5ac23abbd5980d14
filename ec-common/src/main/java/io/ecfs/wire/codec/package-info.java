/**
 * Heads of messages as bytes, and back. {@link io.ecfs.wire.codec.WireNumbers} numbers the records that travel; a
 * number is never given another meaning. {@link io.ecfs.wire.codec.MessageCodec} reads and writes the frequent ones in
 * fixed forms and the others as CBOR. Pure functions, for any thread; they know no connection and no Netty channel.
 */
package io.ecfs.wire.codec;
