/**
 * Configuration of the console, accounts and password hashes.
 */
package io.ecfs.console.web.settings;
