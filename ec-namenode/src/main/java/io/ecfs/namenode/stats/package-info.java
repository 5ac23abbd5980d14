/**
 * What is read together and how busy datanodes are (ec-store paper, V-A): soft state, kept by every namenode from the
 * same messages, so that a new leader knows as much as the last one. Pure but for being kept; owner thread: the
 * namenode's event thread. What always holds: its memory is bounded whatever clients say, and what left the window
 * counts no more.
 */
package io.ecfs.namenode.stats;
