/**
 * The REST API under {@code /api/v1}, described in {@code openapi.json}. Each call asks the namenodes what the command
 * of the same name asks, and answers with the same JSON ({@link io.ecfs.console.view}); what is listed comes in pages.
 */
package io.ecfs.console.web.api;
