/** Tests of alerts by webhooks, with a receiver on this machine. */
package io.ecfs.console.web.webhook;
