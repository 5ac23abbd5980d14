/**
 * Tables of behaviour. Dispatch by class: from the records of a sealed type to their handlers. Such a table is compared
 * with its sealed type when its class is loaded, or when the object is made that owns it: a record without a handler
 * stops the start and fails a test that names it.
 *
 * <p>{@link io.ecfs.dispatch.HandlerTable} is for operations, whose handlers may refuse and may be declared family by
 * family. {@link io.ecfs.dispatch.FunctionTable} is for all other functions of a record.
 *
 * <p>{@link io.ecfs.dispatch.StateMachine} has the state of one thing and checks each transition against a table.
 *
 * <p>Tables are immutable after they were built, and safe for use by any thread.
 */
package io.ecfs.dispatch;
