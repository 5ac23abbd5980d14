/**
 * The rules of the design that a machine can check, over the classes of all modules: the arrows between modules and
 * packages ({@link io.ecfs.console.architecture.Arrows}), the doors to clock, chance, threads, files and sockets
 * ({@link io.ecfs.console.architecture.Doors}) and names ({@link io.ecfs.console.architecture.Names}). Each rule says
 * why it stands; each is shown to fail on an offender in {@code io.ecfs.offence}.
 */
package io.ecfs.console.architecture;
