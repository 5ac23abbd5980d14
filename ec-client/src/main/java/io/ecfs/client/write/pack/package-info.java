/**
 * Small files that share groups. A file that is closed before it has a group of its own goes to the open pack of its
 * policy, owner, group and mode; files that end while others are being acknowledged share the next acknowledgement.
 *
 * <pre>
 *   EcfsOutputStream.close --&gt; Packs --&gt; Pack: write, acknowledge --&gt; CommitFiles --&gt; closed
 *                                         `-- full, idle, client closes: its group is sealed
 * </pre>
 */
package io.ecfs.client.write.pack;
