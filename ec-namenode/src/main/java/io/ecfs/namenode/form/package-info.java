/**
 * Forms of records in the log and in rows: {@link io.ecfs.namenode.form.Form} is one record's form under its number,
 * {@link io.ecfs.namenode.form.Forms} are those of one sealed type, {@link io.ecfs.namenode.form.EnumNumbers} those of
 * an enum's constants. Invariant: a number has its meaning for ever, and nothing written depends on the name of a
 * class, component or constant. Golden files in the tests hold both. {@code docs/formats.md} describes how to add a
 * kind or a field.
 */
package io.ecfs.namenode.form;
