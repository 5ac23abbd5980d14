/**
 * The cluster as it is now. One thread, {@link io.ecfs.console.web.live.Watch}, asks the namenodes what the admin
 * commands ask, at most once a {@code refresh}, whatever the number of browsers; each stream of a browser waits for the
 * next view and writes it on its own thread.
 */
package io.ecfs.console.web.live;
