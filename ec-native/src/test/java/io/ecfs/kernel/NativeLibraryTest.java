package io.ecfs.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import io.ecfs.code.GaloisKernel;
import io.ecfs.code.Kernels;
import java.io.File;
import org.junit.jupiter.api.Test;

class NativeLibraryTest {
    @Test
    void isFoundAndPreferredToTheJavaKernel() {
        GaloisKernel best = Kernels.choose(Kernels.FASTEST);
        assertThat(best.name()).isEqualTo("isal");
        assertThat(best.description()).matches("ISA-L \\(libisal\\.so\\.2[.0-9]*, (avx512|avx2|avx|sse|neon|base)\\)");
        assertThat(Kernels.choose("java").name()).isEqualTo("java");
    }

    @Test
    void givesTheReasonWhenIsalIsMissing() {
        assertThat(NativeLibrary.isalFailure()).isEmpty();
        assertThat(NativeCalls.openIsal("libisal-that-is-not-there.so.2"))
                .startsWith("ISA-L cannot be opened: libisal-that-is-not-there.so.2");
        assertThat(NativeCalls.openIsal("libc.so.6")).startsWith("libc.so.6: has no ec_init_tables");
        assertThat(Kernels.choose("isal").description()).contains("libisal.so.2");
    }

    @Test
    void givesTheReasonOnAnotherProcessor() {
        assertThat(NativeLibrary.load("Linux", "riscv64"))
                .contains("this build has no native library for Linux on riscv64");
    }

    @Test
    void leavesNoFileBehind() {
        assertThat(NativeLibrary.failure()).isEmpty();
        assertThat(new File(System.getProperty("java.io.tmpdir")).list())
                .noneMatch(name -> name.startsWith("libecfskernel"));
    }
}
