/**
 * How records lie in the log and in rows: {@link io.ecfs.namenode.form.Form} is one record's form under its number,
 * {@link io.ecfs.namenode.form.Forms} are those of one sealed type, {@link io.ecfs.namenode.form.EnumNumbers} those of
 * an enum's constants. What always holds: a number keeps its meaning for ever, and nothing written depends on the name
 * of a class, component or constant. Golden files in the tests keep both. How to add a kind or a field stands in
 * {@code docs/formats.md}.
 */
package io.ecfs.namenode.form;
