/**
 * Who may come in and what they may do: sessions by cookie, a CSRF token for whatever changes something, roles, and
 * headers that bind the browser.
 */
package io.ecfs.console.web.security;
