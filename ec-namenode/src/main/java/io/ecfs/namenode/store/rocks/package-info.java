/** The store on RocksDB; nothing else imports it. */
package io.ecfs.namenode.store.rocks;
