/** The root of the project's names; holds no types. */
package io.ecfs;
