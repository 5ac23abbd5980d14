/** Workloads at a size that shows whether they work, and what they say; how fast anything is, no test asks. */
package io.ecfs.bench;
