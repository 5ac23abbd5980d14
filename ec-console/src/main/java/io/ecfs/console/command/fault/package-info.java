/** {@code ecfs fault}: experiments with real faults. */
package io.ecfs.console.command.fault;
