/**
 * Faults that are requests: what operators order while clients work, and storms of calls. They hurt no process and no
 * disk by themselves. One thread.
 */
package io.ecfs.torture.fault.request;
