/**
 * The exact planner: the integer program of the EC-Store paper, solved by OR-Tools when it is on the class path and its
 * native library loads. The only package that knows OR-Tools, and none of its classes is loaded before
 * {@link io.ecfs.client.solver.ExactPlanner#open} is called: jobs bring no solver and need none.
 */
package io.ecfs.client.solver;
