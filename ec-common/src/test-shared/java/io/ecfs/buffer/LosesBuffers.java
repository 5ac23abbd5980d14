package io.ecfs.buffer;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * On test classes that kill simulated processes: what those had borrowed is never given back, so {@link LeakCheck} skips
 * the class, and Netty watches none of its buffers.
 */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE)
public @interface LosesBuffers {}
