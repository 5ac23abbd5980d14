/**
 * Users of requests to namenodes: an operator's run as the user of the console's process, a viewer's as the user
 * that has the viewer's name. Clients belong to {@link io.ecfs.console.web.user.ClientsByUser},
 * which closes those that it made.
 */
package io.ecfs.console.web.user;
