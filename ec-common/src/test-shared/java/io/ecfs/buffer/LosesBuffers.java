package io.ecfs.buffer;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * On test classes that kill simulated processes: what those had borrowed nobody gives back, so {@link LeakCheck} does
 * not look.
 */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE)
public @interface LosesBuffers {}
