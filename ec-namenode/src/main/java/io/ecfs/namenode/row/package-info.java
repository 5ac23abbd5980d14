/**
 * Bytes of keys and values. Keys are big endian so that their order is the order of their numbers; values are compact
 * and begin with a version byte where their shape may grow. The formats are described in {@code docs/formats.md}.
 */
package io.ecfs.namenode.row;
