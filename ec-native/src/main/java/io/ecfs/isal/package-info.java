/** Erasure-code kernels over ISA-L, found by ServiceLoader. */
package io.ecfs.isal;
