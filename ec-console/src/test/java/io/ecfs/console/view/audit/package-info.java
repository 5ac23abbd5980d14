/** Tests of the merged audit logs. */
package io.ecfs.console.view.audit;
