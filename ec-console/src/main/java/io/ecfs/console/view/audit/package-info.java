/** The audit logs of all namenodes as one: asked page by page, merged, and written as JSON or CSV. */
package io.ecfs.console.view.audit;
