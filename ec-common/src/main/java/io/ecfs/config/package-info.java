/**
 * Configuration as immutable records: {@link io.ecfs.config.ConfigReader} fills a record from one YAML file and
 * {@code -D key=value} overrides. What a record's constructor refuses, and every key that no record has, is refused in
 * one line that names the key, the file and the nearest valid choice.
 */
package io.ecfs.config;
