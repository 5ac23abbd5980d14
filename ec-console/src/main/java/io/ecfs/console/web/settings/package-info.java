/**
 * What an operator says of the console, and how passwords are kept: values that the other packages of the console are
 * made from.
 */
package io.ecfs.console.web.settings;
