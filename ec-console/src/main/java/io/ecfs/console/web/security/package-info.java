/**
 * Authentication and authorization: sessions by cookie, a CSRF token for every change, roles, and security headers.
 */
package io.ecfs.console.web.security;
