/** The field GF(2^8) and matrices over it and over GF(2): immutable values, for any thread. */
package io.ecfs.code.field;
